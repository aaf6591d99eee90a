import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { Bytes } from "#app/components/file-table.tsx";
import { Moment } from "#app/components/moment.tsx";
import { requireUser } from "#app/http/gates.server.ts";
import { orRefuse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import { titleOf } from "#app/i18n/title.ts";
import { highlight } from "#app/viewers/highlight.server.ts";
import { findFile, readBody } from "#db/files.server.ts";
import { VIEW_MAX_BYTES } from "#domain/file.ts";
import { isLanguage, languageLabel } from "#domain/language.ts";
import { Refusal } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.shelf;
  const file_id = args.params.id ?? "";
  const file = orRefuse(await findFile(db, user.id, file_id), Refusal("file_not_found", { file_id }));
  if (file.size_bytes > VIEW_MAX_BYTES) return json({ file: fileOnWire(file), code: null });
  const body = await readBody(db, user.id, file);
  const code = await highlight(body, isLanguage(file.language) ? file.language : "text");
  return json({ file: fileOnWire(file), code });
}

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  titleOf(matches, (text) => data?.file.file_name ?? text.files.title);

export default function FileView() {
  const { file, code } = useLoaderData<typeof loader>();
  const text = useText().file;
  return (
    <article>
      <h1 dir="auto">{file.file_name}</h1>
      <p>
        {languageLabel(file.language)} · {text.version(file.version)} · {text.lines(file.lines)} ·{" "}
        <Bytes count={file.size_bytes} /> · <Moment at={file.created_at} />
      </p>
      {file.description && <p dir="auto">{file.description}</p>}
      {file.tags.length > 0 && (
        <ul aria-label={text.tags}>
          {file.tags.map((tag) => (
            <li key={tag} dir="auto">
              {tag}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={`/download/${file.id}`}>{text.download}</a>
      </p>
      {code ? <Code html={code.html} /> : <p>{text.tooLarge}</p>}
      {code && !code.coloured && <p>{text.plain}</p>}
    </article>
  );
}

/** A region that scrolls sideways is reachable by keyboard, so it has a name and takes focus. */
function Code({ html }: { html: string }) {
  const text = useText().file;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label={text.code} tabIndex={0} dir="ltr">
      <pre>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes everything the file contains */}
        <code dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
    </section>
  );
}
