/** Saves one file again and again. Every text proves who wrote it, its number, and that it is complete. */

import type { Db } from "#db/client.ts";
import { bodyKey } from "#db/files/file-versions.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { acknowledged, type Caller } from "./caller.ts";
import type { Writer } from "./writer.ts";

type Attempt = { text: string; version: number | null };

export function fileWriter(caller: Caller, name: string): Writer {
  const attempts: Attempt[] = [];
  const file_name = `${name}.txt`;
  return {
    name,
    async write() {
      const number = attempts.length;
      const attempt: Attempt = {
        text: `${name} ${number}\n${"שלום world ".repeat(20 + (number % 80))}\nend of ${number}\n`,
        version: null,
      };
      attempts.push(attempt);
      const answer = await caller.call("PUT", `/api/files/${file_name}`, attempt.text);
      if (!acknowledged(answer, `saving ${file_name}`)) return false;
      attempt.version = answer.body.version as number;
      return true;
    },
    audit: (db) => auditFile(db, file_name, attempts),
  };
}

async function auditFile(db: Db, file_name: string, attempts: readonly Attempt[]): Promise<string[]> {
  const wrong: string[] = [];
  const file = await db.files.findOne({ file_name });
  const stored = attempts.filter(({ version }) => version !== null);
  if (!file) return stored.length === 0 ? [] : [`${file_name} is gone`];
  const versions = await db.file_versions.find({ file_id: file._id }).sort({ version: 1 }).toArray();
  const bodies = new Map(
    (
      await db.file_bodies
        .find({ _id: { $in: versions.map(({ version }) => bodyKey(file._id, version)) } })
        .toArray()
    ).map(({ _id, body }) => [_id, body]),
  );
  const texts = versions.map(({ version }) => ({ version, text: bodies.get(bodyKey(file._id, version)) }));
  for (const { version, text } of texts)
    if (text === undefined) wrong.push(`${file_name}: version ${version} has no text`);
  for (const { version, text } of stored)
    if (texts.find((shown) => shown.version === version)?.text !== text)
      wrong.push(`${file_name}: acknowledged version ${version} is lost`);
  const order = texts.map(({ text }) => attempts.findIndex((attempt) => attempt.text === text));
  if (order.some((place, i) => place < 0 || (i > 0 && place <= itemAt(order, i - 1))))
    wrong.push(`${file_name}: its versions are not what was sent, once each and in order: ${order}`);
  if (!texts.some(({ version }) => version === file.version))
    wrong.push(`${file_name} shows version ${file.version}, which is not there`);
  if (stored.some(({ version }) => required(version) > file.version))
    wrong.push(`${file_name} shows version ${file.version}, older than one acknowledged`);
  // A number is claimed before its text is written: a missing number belongs to an unacknowledged save.
  const unused = file.last_version - versions.length;
  if (unused < 0 || unused > attempts.length - stored.length)
    wrong.push(`${file_name}: ${unused} numbers unused, ${attempts.length - stored.length} saves unanswered`);
  return wrong;
}
