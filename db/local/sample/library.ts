import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { measureBody } from "#db/files/file-drafts.server.ts";
import { SMALL_FILES, textsToIndex } from "#db/search/search-index.server.ts";
import { mergeSegments } from "#db/search/segment-merge.server.ts";
import { createSegments, takeNumbers } from "#db/search/segments.server.ts";
import { NO_DETAILS } from "#domain/files/file-details.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { listTagKeys } from "#domain/files/tags.ts";
import { required } from "#domain/required.ts";
import { collectKeys } from "#domain/search/search-keys.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { type SampleText, sampleText } from "./sample-texts.ts";

const BATCH = 1_000;

type Library = {
  ownerId: string;
  from: number;
  to: number;
  now: Date;
  /** The file of a number; made up where it is not given. */
  text?: (number: number) => SampleText;
};

/** Fills a library with the sample files of these numbers, a minute apart, the last one now; indexed and in bulk. */
export async function fillLibrary(
  db: Db,
  { ownerId, from, to, now, text: toText = sampleText }: Library,
): Promise<void> {
  for (let at = from; at < to; at += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, to - at) }, (_, i) => at + i);
    const first = await takeNumbers(db, ownerId, numbers.length);
    const samples = numbers.map((number, i) => {
      const text = toText(number);
      const moment = new Date(now.getTime() - (to - 1 - number) * MINUTE_MS);
      return { file: toFileDoc(text, ownerId, first + i, moment, number), body: text.body };
    });
    const files = samples.map(({ file }) => file);
    await db.file_bodies.insertMany(
      samples.map(({ file, body }) => ({ _id: `${file._id.toHexString()}:1`, user_id: ownerId, body })),
    );
    await db.file_versions.insertMany(files.map(toVersionDoc));
    await createSegments(
      db,
      ownerId,
      samples.map(({ file, body }, i) => ({
        n: first + i,
        keys: required(collectKeys(textsToIndex(file, body)), "keys of a short text"),
      })),
    );
    // The records come last: what can be seen can be read and found.
    await db.files.insertMany(files);
    await mergeSegments(db, ownerId, { now, filesMax: SMALL_FILES });
  }
}

function toFileDoc(
  { body, ...text }: SampleText,
  user_id: string,
  n: number,
  moment: Date,
  number: number,
): FileDoc {
  return {
    _id: new ObjectId(),
    user_id,
    ...NO_DETAILS,
    ...text,
    tag_keys: listTagKeys(text.tags),
    name_order: toNameOrder(text.file_name),
    source_url: null,
    version: 1,
    last_version: 1,
    ...measureBody(body),
    is_favorite: number % 50 === 0,
    is_pinned: false,
    created_at: moment,
    updated_at: moment,
    last_opened_at: number % 10 === 0 ? moment : null,
    deleted_at: null,
    expires_at: null,
    n,
  };
}

function toVersionDoc({
  _id: file_id,
  user_id,
  version,
  file_name,
  language,
  size_bytes,
  lines,
  created_at,
}: FileDoc) {
  return {
    _id: new ObjectId(),
    file_id,
    user_id,
    version,
    file_name,
    language,
    size_bytes,
    lines,
    created_at,
  };
}
