import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFiles } from "#db/files/file-records.server.ts";
import type { LeftPlace } from "#db/notes/documents.ts";
import { checkNotesOrphaned } from "#db/notes/repos/repo-notes.server.ts";
import { targetKey } from "#domain/notes/note.ts";

type LeftFile = Pick<LeftPlace, "kind" | "file_id" | "repo_name" | "repo_path">;

/** Maps the notes of a board to the names of the existing files that they came from and can return to. */
export async function findFormerFileNames(
  db: Db,
  ownerId: string,
  boardId: string,
): Promise<Map<string, string>> {
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
  const leftFiles = docs.map(({ _id, left }) => ({ id: _id.toHexString(), ...left }));
  const [files, orphanedById] = await Promise.all([
    findFiles(
      db,
      ownerId,
      leftFiles.flatMap(({ file_id }) => file_id ?? []),
    ),
    checkNotesOrphaned(db, ownerId, leftFiles),
  ]);
  const names = new Map(files.map(({ id, file_name }) => [id, file_name]));
  return new Map(
    leftFiles.flatMap(({ id, file_id, repo_path }) => {
      const name = file_id === null ? orphanedById.get(id) === false && repo_path : names.get(file_id);
      return name ? [[id, name] as const] : [];
    }),
  );
}
