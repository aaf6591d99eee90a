import { z } from "zod";
import { count, line, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { ListedShare, Share } from "#db/shares/shares.server.ts";
import { SHARE_MODES } from "#domain/shares/share.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

const share_id = z.string().meta({ description: "What the public address ends in." });
const expires_at = timestamp.nullable();

export const madeShape = z.object({ ok, url: z.string(), share_id, expires_at });
export const linkShape = z.object({
  success: z.literal(true),
  share_url: z.string(),
  token: share_id,
  expires_at,
});
export const revokedShape = z.object({ ok, revoked: z.literal(1), share_id });
export const shareShape = z
  .object({
    share_id,
    kind: z.enum(["file", "link"]),
    url: z.string(),
    mode: z.enum(SHARE_MODES),
    lines: z.object({ from: line, to: line }).nullable(),
    files: z.array(
      z.object({
        file_id: opaqueId,
        place: line,
        version: line,
        file_name: z.string(),
        path: z.string().optional().meta({ description: "Where it is within the folder of the link." }),
        language: z.string(),
        size_bytes: count,
        lines: count,
      }),
    ),
    folder: z
      .object({ id: opaqueId, name: z.string(), follows: z.boolean(), with_secrets: z.boolean() })
      .nullable()
      .meta({ description: "Where it is a link to a folder. One that follows it lists no files here." }),
    living: count.meta({ description: "How many of the files are not in the trash." }),
    has_password: z.boolean(),
    views: count,
    views_left: count.nullable(),
    created_at: timestamp,
    expires_at,
  })
  .meta({ id: "Share" });

export const sharePath = ({ kind, id }: Pick<Share, "kind" | "id">) =>
  kind === "file" ? `/share/${id}` : `/shared/${id}`;

/** The full address, as people pass it on. */
export const shareUrl = (request: Request, share: Pick<Share, "kind" | "id">) =>
  new URL(request.url).origin + sharePath(share);

export function toWireCreatedShare(request: Request, share: Share) {
  return {
    ok: true,
    url: shareUrl(request, share),
    share_id: share.id,
    expires_at: toTimestampOrNull(share.expires_at),
  };
}

export function toWireLink(request: Request, link: Share) {
  return {
    success: true,
    share_url: shareUrl(request, link),
    token: link.id,
    expires_at: toTimestampOrNull(link.expires_at),
  };
}

export function toWireShare(request: Request, share: ListedShare) {
  const { id, kind, mode, lines, views, views_left, living } = share;
  return {
    share_id: id,
    kind,
    url: shareUrl(request, share),
    mode,
    lines,
    files: share.files,
    folder: share.folder ? { ...share.folder, with_secrets: share.folder.with_secrets ?? false } : null,
    living,
    has_password: share.password !== null,
    views,
    views_left,
    created_at: toTimestamp(share.created_at),
    expires_at: toTimestampOrNull(share.expires_at),
  };
}

export type WireShare = ReturnType<typeof toWireShare>;
