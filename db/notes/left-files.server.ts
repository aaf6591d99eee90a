import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFiles } from "#db/files/file-records.server.ts";
import type { LeftPlace } from "#db/notes/documents.ts";
import { findOrphaned } from "#db/repos/repo-notes.server.ts";
import { targetKey } from "#domain/notes/note.ts";

type LeftFile = Pick<LeftPlace, "kind" | "file_id" | "repo_name" | "repo_path">;

/** The files that notes of a board came from and can go back to, because they are there: the name of each, by the note's id. */
export async function listLeftFiles(db: Db, ownerId: string, boardId: string): Promise<Map<string, string>> {
  const target = targetKey({ kind: "board", board_id: boardId });
  const docs = await db.notes
    .find({ target, user_id: ownerId, deleted_at: null, left: { $exists: true } }, { hint: "by_target" })
    .project<{ _id: ObjectId; left: LeftFile }>({
      "left.kind": 1,
      "left.file_id": 1,
      "left.repo_name": 1,
      "left.repo_path": 1,
    })
    .toArray();
  const left = docs.map(({ _id, left }) => ({ id: _id.toHexString(), ...left }));
  const [files, orphaned] = await Promise.all([
    findFiles(
      db,
      ownerId,
      left.flatMap(({ file_id }) => file_id ?? []),
    ),
    findOrphaned(db, ownerId, left),
  ]);
  const names = new Map(files.map(({ id, file_name }) => [id, file_name]));
  return new Map(
    left.flatMap(({ id, file_id, repo_path }) => {
      const name = file_id === null ? orphaned.get(id) === false && repo_path : names.get(file_id);
      return name ? [[id, name] as const] : [];
    }),
  );
}
