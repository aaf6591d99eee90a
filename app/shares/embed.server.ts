import { toMarkedHtml } from "#app/files/code/code-view.tsx";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import {
  createEmbedPolicy,
  writeEmbeddedCode,
  writeEmbedNotice,
  writeEmbedPage,
} from "#app/shares/embed-page.server.ts";
import { type FoundFile, findSharedFile, getSharedPath } from "#app/shares/shared-address.server.ts";
import { countVisit, emitShareNotFound, type ShareRequest } from "#app/shares/shared-visit.server.ts";
import { highlight } from "#app/viewers/code/highlight.server.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readSharedText } from "#db/shares/shares.server.ts";
import { negotiateLocale } from "#domain/locale.ts";
import { Refusal, refusalStatus } from "#domain/refusal.ts";
import { cutForEmbed, isEmbeddable, readEmbedTheme } from "#domain/shares/embed.ts";
import { parseLineRange } from "#domain/text/line-range.ts";
import { generateToken } from "#platform/ids.ts";

/**
 * A shared file as a page for frames of other sites. It is the same for every visitor, because a browser sends no session from there: it
 * sets no cookie, and caches can keep it as long as the share's own page.
 */
export async function answerEmbed(shareRequest: ShareRequest): Promise<Response> {
  const { params, request, context } = shareRequest;
  const name = { id: params.id ?? params.token ?? "", place: params.token ? (params.place ?? "") : null };
  const sharedFile = await findSharedFile(context.services, name);
  if (!sharedFile) {
    emitShareNotFound(shareRequest, name.id);
    return answerNotice(shareRequest, Refusal("share_not_found", { share_id: name.id }), null);
  }
  if (!isEmbeddable(sharedFile.share))
    return answerNotice(shareRequest, Refusal("share_locked", { share_id: name.id }), sharedFile);
  await countVisit(shareRequest, { share: sharedFile.share, isOwner: false });
  const locale = readLocale(request);
  const fileName = sharedFile.file.file_name;
  const content = writeEmbeddedCode({
    locale,
    fileName,
    address: getSharedPath(sharedFile),
    ...(await renderCode(shareRequest, sharedFile)),
  });
  return answerPage(shareRequest, { title: fileName, content, status: 200 });
}

const readLocale = ({ headers }: Request) => negotiateLocale(headers.get("Accept-Language") ?? "");

async function renderCode({ request, context }: ShareRequest, { share, file }: FoundFile) {
  const { text: body, isWhole } = cutForEmbed(await readSharedText(context.services.db, share, file));
  const first = share.lines?.from ?? 1;
  const range = parseLineRange(new URL(request.url).searchParams.get("L"));
  const { html, large } = await highlight(context, {
    owner: share.user_id,
    body,
    language: file.language,
    first,
    line: range?.from,
    marks: { range, noteLines: [] },
  });
  const pieces = large && context.largeHtml.get(large.digest);
  return { isWhole, html: pieces ? Buffer.concat(pieces).toString() : toMarkedHtml(html, range) };
}

function answerNotice(shareRequest: ShareRequest, refusal: Refusal, sharedFile: FoundFile | null): Response {
  if (!wantsPage(shareRequest.request.headers.get("Accept"))) return toRefusalResponse(refusal);
  const { shares } = getDictionary(readLocale(shareRequest.request));
  const open = sharedFile && { address: getSharedPath(sharedFile), words: shares.embedOpen };
  const message = sharedFile ? shares.embedLocked : shares.embedMissing;
  const content = writeEmbedNotice(message, open);
  return answerPage(shareRequest, { title: shares.shared, content, status: refusalStatus(refusal) });
}

type PageContent = { title: string; content: string; status: number };

const CACHE_SECONDS = 10;

function answerPage({ request }: ShareRequest, { title, content, status }: PageContent): Response {
  const nonce = generateToken(16);
  const theme = readEmbedTheme(new URL(request.url).searchParams.get("theme"));
  const html = writeEmbedPage({ locale: readLocale(request), theme, nonce, title, content });
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": createEmbedPolicy(nonce),
      "Cache-Control": status === 200 ? `public, max-age=${CACHE_SECONDS}` : "no-store",
      Vary: "Accept, Accept-Language",
    },
  });
}
