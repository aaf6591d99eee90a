import { findLinkedFiles, renderMarkdownPage } from "#app/viewers/markdown/markdown-page.server.ts";
import type { LinkedFiles } from "#app/viewers/render-task.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { readBody } from "#db/files/file-records.server.ts";
import { findReadme } from "#db/files/folders/folder-files.server.ts";

/** A larger text that describes a folder opens only on its own page. */
export const README_MAX_BYTES = 256 * 1024;

/** `html` for Markdown, `text` for anything else; neither if it is too large or cannot be rendered. */
export type Readme = { href: string; file_name: string; html?: string; text?: string };

export async function readReadme(
  context: RequestContext,
  ownerId: string,
  folder_id: string,
): Promise<Readme | null> {
  const { db } = context.services;
  const file = await findReadme(db, ownerId, folder_id);
  if (!file) return null;
  const readme = { href: `/file/${file.id}`, file_name: file.file_name };
  if (file.size_bytes === 0) return null;
  if (file.size_bytes > README_MAX_BYTES) return readme;
  const body = await readBody(db, ownerId, file);
  const files = await findLinkedFiles(context, ownerId, folder_id, body);
  return { ...readme, ...(await renderReadme(context, ownerId, file.language, body, files)) };
}

export async function renderReadme(
  context: RequestContext,
  ownerId: string,
  language: string,
  body: string,
  files: LinkedFiles = {},
): Promise<Pick<Readme, "html" | "text">> {
  if (language !== "markdown") return { text: body };
  const result = await renderMarkdownPage(context, ownerId, body, files);
  return result.ok ? { html: result.html } : {};
}
