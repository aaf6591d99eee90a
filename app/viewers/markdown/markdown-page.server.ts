import { getDictionary } from "#app/i18n/dictionaries.ts";
import { listLinkedPaths } from "#app/viewers/markdown/linked-paths.ts";
import type { Heading, LinkedFiles, ProseWords, Rendered } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";
import { VIEWS } from "#app/viewers/views.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { findFilesByRelativePath } from "#db/files/folders/folder-files.server.ts";

/** Renders Markdown for its reader. Relative addresses lead to `files`: the owner's, or for strangers those shared with the text. */
export async function renderMarkdownPage(
  context: RequestContext,
  owner: string,
  body: string,
  files: LinkedFiles = {},
  ticking = false,
): Promise<Rendered> {
  const words = await chooseProseWords(context);
  return render(context.services.threads, owner, { kind: "markdown", body, words, files, ticking });
}

export async function renderNotebookPage(
  context: RequestContext,
  owner: string,
  body: string,
): Promise<Rendered> {
  const words = await chooseProseWords(context);
  return render(context.services.threads, owner, { kind: "notebook", body, words });
}

async function chooseProseWords(context: RequestContext): Promise<ProseWords> {
  const { viewers } = getDictionary(await context.locale());
  const { blockedImage, externalImage, missingImage, missingFile, footnoteBack, done, open } = viewers;
  return { blockedImage, externalImage, missingImage, missingFile, footnoteBack, done, open };
}

export async function findLinkedFiles(
  { services }: RequestContext,
  owner: string,
  folder_id: string | null,
  body: string,
): Promise<LinkedFiles> {
  const paths = listLinkedPaths(body);
  const filesByPath = await findFilesByRelativePath(services.db, owner, folder_id, paths);
  return Object.fromEntries(
    [...filesByPath].map(([path, { id, language }]) => [
      path,
      {
        href: language === "markdown" ? VIEWS.markdown(id) : `/file/${id}`,
        ...(language === "svg" ? { image: `/raw_svg/${id}` } : {}),
      },
    ]),
  );
}

/** Lists the headings of a text in order; none if it cannot be rendered. */
export async function findHeadings(context: RequestContext, owner: string, body: string): Promise<Heading[]> {
  const rendered = await renderMarkdownPage(context, owner, body);
  return rendered.ok ? rendered.headings : [];
}
