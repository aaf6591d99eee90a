import { z } from "zod";
import { archiveResponse } from "#app/files/archive.server.ts";
import {
  type Call,
  type DescribedBody,
  type Endpoint,
  endpoint,
  type Returns,
} from "#app/http/api/api.server.ts";
import { count, opaqueId, timestamp } from "#app/http/api/shapes.server.ts";
import { readJson } from "#app/http/door/body.server.ts";
import { linkOnWire, linkShape } from "#app/shares/share-wire.server.ts";
import { trashFiles } from "#db/files/bin.server.ts";
import { addTags, listChosen, setFavorites } from "#db/files/selection.server.ts";
import { createLink } from "#db/shares/shares.server.ts";
import { isBinDays } from "#domain/files/bin.ts";
import { checkTagList } from "#domain/files/file.ts";
import { checkSelection, SELECTION_MAX } from "#domain/files/selection.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isShareDays, SHARE_DAYS, SHARE_DAYS_MAX } from "#domain/shares/share.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

/** One verb over several files. Every refusal of it says `success: false`. */
type Chosen = Call<string, "user", undefined, DescribedBody> & {
  ownerId: string;
  fileIds: string[];
  given: Record<string, unknown>;
};
type Verb = (chosen: Chosen) => Promise<Response | Refusal | object>;

type Told = { path: string; summary: string; takes?: z.ZodRawShape; returns: Returns };

const file_ids = z.array(opaqueId).min(1).max(SELECTION_MAX);
const updated = { 200: z.object({ success: z.literal(true), updated: count }) };
const binned = { 200: z.object({ success: z.literal(true), deleted: count, expires_at: timestamp }) };

function bulk({ path, summary, takes, returns }: Told, verb: Verb): Endpoint {
  return endpoint({
    method: "POST",
    path,
    gate: "user",
    summary,
    body: { described: z.object({ file_ids, ...takes }) },
    returns,
    answer: async (call) => {
      const answer = await answerBulk(call, verb);
      return isRefusal(answer) ? Refusal(answer.refused, { success: false, ...answer.context }) : answer;
    },
  });
}

async function answerBulk(call: Call<string, "user", undefined, DescribedBody>, verb: Verb) {
  const given = await readJson(call.request);
  if (isRefusal(given)) return given;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return Refusal("invalid_payload");
  const fileIds = checkSelection("file_ids" in given ? given.file_ids : undefined);
  if (isRefusal(fileIds)) return fileIds;
  return verb({ ...call, ownerId: call.visitor.user.id, fileIds, given: given as Record<string, unknown> });
}

const favored =
  (isFavorite: boolean): Verb =>
  async ({ services: { db }, ownerId, fileIds }) => {
    const updated = await setFavorites(db, ownerId, fileIds, isFavorite);
    return isRefusal(updated) ? updated : { success: true, updated };
  };

export const bulkEndpoints = [
  bulk({ path: "/api/files/bulk-favorite", summary: "Star several files", returns: updated }, favored(true)),
  bulk(
    { path: "/api/files/bulk-unfavorite", summary: "Take the stars of several files away", returns: updated },
    favored(false),
  ),
  bulk(
    {
      path: "/api/files/bulk-tag",
      summary: "Add tags to several files",
      takes: { tags: z.array(z.string()).min(1) },
      returns: updated,
    },
    async ({ services: { db }, ownerId, fileIds, given }) => {
      const tags = checkTagList(given.tags);
      if (isRefusal(tags)) return tags;
      const updated = await addTags(db, ownerId, fileIds, tags);
      return isRefusal(updated) ? updated : { success: true, updated };
    },
  ),
  bulk(
    {
      path: "/api/files/bulk-delete",
      summary: "Move several files to the bin",
      takes: { ttl_days: z.int().min(1).max(30).nullable().optional() },
      returns: binned,
    },
    async ({ services: { db, clock }, ownerId, fileIds, given: { ttl_days = null } }) => {
      if (ttl_days !== null && !isBinDays(ttl_days))
        return Refusal("invalid_payload", { message: "A number of days from 1 to 30.", field: "ttl_days" });
      const deletion = await trashFiles(db, ownerId, fileIds, clock(), ttl_days ?? undefined);
      if (isRefusal(deletion)) return deletion;
      return { success: true, deleted: deletion.deleted, expires_at: toTimestamp(deletion.expires_at) };
    },
  ),
  bulk(
    {
      path: "/api/files/create-zip",
      summary: "Download several files as a zip",
      returns: { 200: "application/zip" },
    },
    async ({ services: { db, clock }, ownerId, fileIds }) => {
      const files = await listChosen(db, ownerId, fileIds);
      return isRefusal(files) ? files : archiveResponse(db, ownerId, files, clock());
    },
  ),
  bulk(
    {
      path: "/api/files/create-share-link",
      summary: "Share several files under one link",
      takes: { expires_in_days: z.int().min(1).max(SHARE_DAYS_MAX).nullable().optional() },
      returns: { 200: linkShape },
    },
    async ({ request, services: { db, clock }, ownerId, fileIds, given: { expires_in_days = null } }) => {
      if (expires_in_days !== null && !isShareDays(expires_in_days)) {
        const message = `A number of days from 1 to ${SHARE_DAYS_MAX}.`;
        return Refusal("invalid_payload", { message, field: "expires_in_days" });
      }
      const link = await createLink(db, ownerId, fileIds, expires_in_days ?? SHARE_DAYS, clock());
      return isRefusal(link) ? link : linkOnWire(request, link);
    },
  ),
];
