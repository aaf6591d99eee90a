import { redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/accept.ts";
import { attachment } from "#app/http/attachment.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import { type Arrival, cachingOf } from "#app/routes/shared-visit.server.ts";
import { highlight } from "#app/viewers/highlight.server.ts";
import { renderedMarkdown } from "#app/viewers/markdown-page.server.ts";
import { readShared, type Share, type SharedFile } from "#db/shares.server.ts";
import { countLines, VIEW_MAX_BYTES } from "#domain/file.ts";
import { isLanguage } from "#domain/language.ts";
import { writtenRange } from "#domain/line-range.ts";
import { Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text.ts";

/** `?view=md` asks for Markdown as a page; of any other text there is only the source. */
export function viewAsked({ request }: Arrival, share: Share, file: SharedFile): "md" | "source" {
  const url = new URL(request.url);
  if (url.searchParams.get("view") !== "md") return "source";
  if (file.language === "markdown") return "md";
  if (!wantsPage(request.headers.get("Accept")))
    throw refusalResponse(Refusal("unsupported_view", { share_id: share.id }));
  url.searchParams.delete("view");
  throw redirect(url.pathname + url.search);
}

/** What a page shows of a shared file: escaped source, or prose by the same way as in its owner's library. */
export async function shownText(arrival: Arrival, share: Share, file: SharedFile, view: "md" | "source") {
  const text = await readShared(arrival.context.shelf.db, share, file);
  const size_bytes = utf8Bytes(text);
  const { file_name, language } = file;
  const about = {
    file: { file_name, language, lines: countLines(text), size_bytes },
    range: share.lines && writtenRange(share.lines),
    first: share.lines?.from ?? 1,
    isPreview: share.mode === "preview",
    expires_at: share.expires_at?.toISOString() ?? null,
    view,
  };
  const isShown = size_bytes <= VIEW_MAX_BYTES;
  const prose = isShown && view === "md" ? await renderedMarkdown(arrival.context, text) : null;
  if (prose?.ok) return { ...about, code: null, prose, reason: null };
  const code = isShown ? await highlight(text, isLanguage(language) ? language : "text") : null;
  return { ...about, code, prose: null, reason: prose && !prose.ok ? prose.reason : null };
}

/** The exact bytes that are shared: to be read as they are, or kept as a file; never a document of ours. */
const DISPOSITIONS: Record<string, (name: string) => string> = {
  raw: () => "inline",
  download: attachment,
};

export async function plainAnswer(arrival: Arrival, share: Share, file: SharedFile): Promise<Response> {
  const form = arrival.params.form ?? "";
  if (!Object.hasOwn(DISPOSITIONS, form)) throw refusalResponse(Refusal("not_found"));
  return new Response(await readShared(arrival.context.shelf.db, share, file), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": DISPOSITIONS[form]!(file.file_name),
      "Content-Security-Policy": "sandbox; default-src 'none'",
      ...(await cachingOf(arrival, share)),
    },
  });
}
