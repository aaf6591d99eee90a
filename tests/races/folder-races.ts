import { readFolders } from "#db/files/folders/folders.server.ts";
import { findTrail } from "#domain/files/folders/folder-tree.ts";
import { itemAt, required } from "#domain/required.ts";
import { compete, expected, type Field, type Outcome, type Size } from "./field.ts";
import { RACER } from "./webs.ts";

/** No folder is lost in a cycle, and the tree shows each acknowledged change. */
export async function raceFolderMoves(field: Field, size: Size): Promise<Outcome> {
  const name = "folders moved into each other";
  const ids: string[] = [];
  for (const folder of ["a", "b", "c", "d", "e"]) {
    const created = await itemAt(field.callers, 0).call("POST", "/api/folders", { name: folder });
    ids.push((expected(created, name, 201).body.folder as { id: string }).id);
  }
  let changes = ids.length;
  await compete(field, size, async (caller, writer, number) => {
    const id = itemAt(ids, writer % ids.length);
    const target = itemAt([...ids, null], (writer + number) % (ids.length + 1));
    const answer = await caller.call("PATCH", `/api/folders/${id}`, { parent_id: target });
    if (expected(answer, name, 200, 409).status === 200) changes += 1;
  });
  const tree = await readFolders(field.db, RACER);
  const lost = ids.filter((id) => findTrail(tree, id) === null);
  const { revision } = required(await field.db.folder_changes.findOne({ _id: RACER }));
  const wrong = lost.length === 0 ? [] : [`${lost.length} folders lie in a circle`];
  if (revision !== changes) wrong.push(`${changes} changes were acknowledged, and ${revision} were made`);
  return { name, tries: size.tries, acknowledged: changes, wrong };
}
