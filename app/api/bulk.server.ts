import { archiveResponse } from "#app/api/archive.server.ts";
import { type Call, type Endpoint, endpoint } from "#app/http/api.server.ts";
import { readJson } from "#app/http/body.server.ts";
import { trashFiles } from "#db/bin.server.ts";
import { addTags, listChosen, setFavorites } from "#db/selection.server.ts";
import { isBinDays } from "#domain/bin.ts";
import { checkTagList } from "#domain/file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkSelection } from "#domain/selection.ts";
import { toTimestamp } from "#domain/timestamp.ts";

/** One verb over several files. Every refusal of it says `success: false`. */
type Chosen = Call<string, "user", undefined, undefined> & {
  ownerId: string;
  fileIds: string[];
  given: Record<string, unknown>;
};
type Verb = (chosen: Chosen) => Promise<Response | Refusal | object>;

function bulk(path: string, verb: Verb): Endpoint {
  return endpoint({
    method: "POST",
    path,
    gate: "user",
    answer: async (call) => {
      const answer = await answerOf(call, verb);
      return isRefusal(answer) ? Refusal(answer.refused, { success: false, ...answer.context }) : answer;
    },
  });
}

async function answerOf(call: Call<string, "user", undefined, undefined>, verb: Verb) {
  const given = await readJson(call.request);
  if (isRefusal(given)) return given;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return Refusal("invalid_payload");
  const fileIds = checkSelection("file_ids" in given ? given.file_ids : undefined);
  if (isRefusal(fileIds)) return fileIds;
  return verb({ ...call, ownerId: call.visitor.user.id, fileIds, given: given as Record<string, unknown> });
}

const favored =
  (isFavorite: boolean): Verb =>
  async ({ shelf: { db }, ownerId, fileIds }) => {
    const updated = await setFavorites(db, ownerId, fileIds, isFavorite);
    return isRefusal(updated) ? updated : { success: true, updated };
  };

export const bulkEndpoints = [
  bulk("/api/files/bulk-favorite", favored(true)),
  bulk("/api/files/bulk-unfavorite", favored(false)),
  bulk("/api/files/bulk-tag", async ({ shelf: { db }, ownerId, fileIds, given }) => {
    const tags = checkTagList(given.tags);
    if (isRefusal(tags)) return tags;
    const updated = await addTags(db, ownerId, fileIds, tags);
    return isRefusal(updated) ? updated : { success: true, updated };
  }),
  bulk(
    "/api/files/bulk-delete",
    async ({ shelf: { db, clock }, ownerId, fileIds, given: { ttl_days = null } }) => {
      if (ttl_days !== null && !isBinDays(ttl_days))
        return Refusal("invalid_payload", { message: "A number of days from 1 to 30.", field: "ttl_days" });
      const deletion = await trashFiles(db, ownerId, fileIds, clock(), ttl_days ?? undefined);
      if (isRefusal(deletion)) return deletion;
      return { success: true, deleted: deletion.deleted, expires_at: toTimestamp(deletion.expires_at) };
    },
  ),
  bulk("/api/files/create-zip", async ({ shelf: { db, clock }, ownerId, fileIds }) => {
    const files = await listChosen(db, ownerId, fileIds);
    return isRefusal(files) ? files : archiveResponse(db, ownerId, files, clock());
  }),
];
