import { json, type LinksFunction, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { SourceInstead } from "#app/components/source-instead.tsx";
import { ViewHead } from "#app/components/view-head.tsx";
import { textOf, useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import viewStyles from "#app/styles/viewers.css?url";
import { highlight } from "#app/viewers/highlight.server.ts";
import { openView } from "#app/viewers/open-view.server.ts";
import type { Heading } from "#app/viewers/render-task.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { file, body, newest } = await openView(args, "markdown");
  const { blockedImage, externalImage, footnoteBack, done, open } = textOf(
    await args.context.locale(),
  ).viewers;
  const words = { blockedImage, externalImage, footnoteBack, done, open };
  const rendered = await args.context.shelf.renderer.render({ kind: "markdown", body, words });
  const instead = rendered.ok ? null : { reason: rendered.reason, code: await highlight(body, "markdown") };
  return json({ file: fileOnWire(file), newest, prose: rendered.ok ? rendered : null, instead });
}

export const handle: Titled<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.file.file_name ?? text.files.title,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: viewStyles }];

export default function Markdown() {
  const { file, newest, prose, instead } = useLoaderData<typeof loader>();
  return (
    <article>
      <ViewHead file={file} newest={newest} />
      {instead && <SourceInstead reason={instead.reason} html={instead.code.html} />}
      {prose && (
        <>
          {prose.headings.length > 1 && <Contents headings={prose.headings} />}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: prose.html }} />
        </>
      )}
    </article>
  );
}

function Contents({ headings }: { headings: Heading[] }) {
  const text = useText().viewers;
  return (
    <nav className="contents" aria-label={text.contents}>
      <details open>
        <summary>{text.contents}</summary>
        <ol>
          {headings.map(({ id, text: words, level }) => (
            <li key={id} className={`contents-${level}`}>
              <a href={`#${encodeURIComponent(id)}`} dir="auto">
                {words || id}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
