import { en } from "#app/i18n/en.ts";
import {
  type FoundFile,
  findSharedFile,
  getSharedPath,
  isWorkingLink,
  parseSharedUrl,
} from "#app/shares/shared-address.server.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { readSharedText } from "#db/shares/shares.server.ts";
import { countLines } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";
import { EMBED_WIDTH_PX, embedHeightPx, isEmbeddable, toEmbedCode } from "#domain/shares/embed.ts";

/** Answers an oEmbed request (oembed.com, version 1.0): how other pages embed a shared file. */
export async function answerOembed(services: WebServices, request: Request): Promise<Response> {
  const parameters = new URL(request.url).searchParams;
  if ((parameters.get("format") ?? "json") !== "json") return toRefusalResponse(Refusal("oembed_format"));
  const url = parameters.get("url");
  if (url === null) return toRefusalResponse(Refusal("invalid_query", { field: "url" }));
  const sharedName = parseSharedUrl(request, url);
  const sharedFile = sharedName && (await findSharedFile(services, sharedName));
  if (!sharedFile) {
    const isLink = await isWorkingLink(services, request, url);
    return toRefusalResponse(Refusal(isLink ? "folder_not_embeddable" : "share_not_found"));
  }
  if (!isEmbeddable(sharedFile.share)) return toRefusalResponse(Refusal("share_not_embeddable"));
  const lines = countLines(await readSharedText(services.db, sharedFile.share, sharedFile.file));
  return Response.json(describeEmbed(request, sharedFile, lines), {
    headers: { "Cache-Control": "public, max-age=10" },
  });
}

function describeEmbed(request: Request, sharedFile: FoundFile, lines: number) {
  const { origin, searchParams } = new URL(request.url);
  const title = sharedFile.file.file_name;
  const width = Math.min(EMBED_WIDTH_PX, readPixels(searchParams.get("maxwidth")));
  const height = Math.min(embedHeightPx(lines), readPixels(searchParams.get("maxheight")));
  const src = `${origin}${getSharedPath(sharedFile)}/embed`;
  return {
    version: "1.0",
    type: "rich",
    title,
    provider_name: en.product,
    provider_url: origin,
    width,
    height,
    html: toEmbedCode({ src, title, heightPx: height, maxWidthPx: width }),
  };
}

/** Reads a limit in pixels; anything invalid means no limit. */
const readPixels = (text: string | null): number =>
  /^[1-9]\d{0,5}$/.test(text ?? "") ? Number(text) : Infinity;
