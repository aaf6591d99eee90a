import { type AppLoadContext, redirect } from "@remix-run/node";
import { readBackground } from "#app/files/code/drawing.tsx";
import { findSharedLinks } from "#app/shares/shared-folder.server.ts";
import { createCachingHeaders, type ShareRequest } from "#app/shares/shared-visit.server.ts";
import { readShownLine, toCodeMarks } from "#app/viewers/code/code-marks.server.ts";
import { highlight } from "#app/viewers/code/highlight.server.ts";
import { answerInertPage, answerInertPicture } from "#app/viewers/foreign-view.server.ts";
import { renderMarkdownPage } from "#app/viewers/markdown/markdown-page.server.ts";
import { render } from "#app/viewers/renderer.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readSharedText, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { countLines } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";
import { formatRange } from "#domain/text/line-range.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { PART_FIELD } from "#domain/text/text-part.ts";
import { hasKey } from "#domain/typed-keys.ts";

/** The views of a shared text besides its source, by their name in `?view=`. */
const VIEW_LANGUAGES = { md: "markdown", html: "html", svg: "svg" } as const;
type SharedView = keyof typeof VIEW_LANGUAGES | "source";

/**
 * Reads `?view=`. A Markdown text that is shared whole opens rendered, unless the address names lines of it. A view that does not fit the
 * text redirects to the address without it.
 */
export function chooseView({ request }: ShareRequest, share: Share, file: SharedFile): SharedView {
  const url = new URL(request.url);
  const view = url.searchParams.get("view");
  if (view === null && file.language === "markdown" && isReadWhole(url, share)) return "md";
  if (!hasKey(VIEW_LANGUAGES, view)) return "source";
  if (file.language === VIEW_LANGUAGES[view]) return view;
  if (!wantsPage(request.headers.get("Accept")))
    throw toRefusalResponse(Refusal("unsupported_view", { share_id: share.id }));
  url.searchParams.delete("view");
  throw redirect(url.pathname + url.search);
}

const isReadWhole = ({ searchParams }: URL, { lines, mode }: Share) =>
  lines === null && mode === "full" && !searchParams.has("L") && !searchParams.has(PART_FIELD);

/** A shared file as its page shows it: highlighted source, or the same view as in its owner's library. */
export async function readShownText(
  shareRequest: ShareRequest,
  share: Share,
  file: SharedFile,
  view: SharedView,
) {
  const { db, threads } = shareRequest.context.services;
  const text = await readSharedText(db, share, file);
  const size_bytes = utf8Bytes(text);
  const { file_name, language } = file;
  const about = {
    file: { file_name, language, lines: countLines(text), size_bytes },
    range: share.lines && formatRange(share.lines),
    isPreview: share.mode === "preview",
    expires_at: share.expires_at?.toISOString() ?? null,
    view,
    background: readBackground(shareRequest.request),
  };
  const prose = view === "md" ? await renderShared(shareRequest, share, file, text) : null;
  if (prose?.ok) return { ...about, code: null, prose, reason: null };
  if (view === "html") return { ...about, code: null, prose: null, reason: null };
  const drawn = view === "svg" ? await render(threads, share.user_id, { kind: "svg", body: text }) : null;
  if (drawn?.ok) return { ...about, code: null, prose: null, reason: null };
  const failure = prose ?? drawn;
  const code = await highlight(shareRequest.context, {
    owner: share.user_id,
    body: text,
    language,
    first: share.lines?.from,
    line: readShownLine(shareRequest.request),
    marks: toCodeMarks(shareRequest.request, null),
  });
  const reason = failure && !failure.ok ? failure.reason : null;
  return { ...about, view: "source" as const, code, prose: null, reason };
}

const renderShared = ({ context }: ShareRequest, share: Share, file: SharedFile, text: string) =>
  renderMarkdownPage(context, share.user_id, text, findSharedLinks(share, file, text));

/** A shared text as a page or an image, for the frame or the picture of the page that shows it. */
const FOREIGN_VIEWS: Record<
  string,
  (context: AppLoadContext, owner: string, text: string) => Promise<Response>
> = {
  html: answerInertPage,
  svg: answerInertPicture,
};

/** Answers the address of a shared file with its text, or with the view for its language. */
export async function answerShared(
  shareRequest: ShareRequest,
  share: Share,
  file: SharedFile,
): Promise<Response> {
  const form = shareRequest.params.form ?? "";
  const answer = Object.hasOwn(FOREIGN_VIEWS, form) ? FOREIGN_VIEWS[form] : undefined;
  if (!answer) return answerPlainText(shareRequest, share, file);
  if (file.language !== form) throw toRefusalResponse(Refusal("not_found"));
  const text = await readSharedText(shareRequest.context.services.db, share, file);
  return answer(shareRequest.context, share.user_id, text);
}

/** The exact shared bytes, to view as plain text or to download; never as a document of this site. */
const DISPOSITIONS: Record<string, (name: string) => string> = {
  raw: () => "inline",
  download: toContentDisposition,
};

async function answerPlainText(
  shareRequest: ShareRequest,
  share: Share,
  file: SharedFile,
): Promise<Response> {
  const form = shareRequest.params.form ?? "";
  const disposition = Object.hasOwn(DISPOSITIONS, form) ? DISPOSITIONS[form] : undefined;
  if (!disposition) throw toRefusalResponse(Refusal("not_found"));
  return new Response(await readSharedText(shareRequest.context.services.db, share, file), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": disposition(file.file_name),
      // Its views can be framed by our pages, and so can the other answers of this route; the text itself cannot.
      "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      ...(await createCachingHeaders(shareRequest, share)),
    },
  });
}
