/** Folders. */
import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { type Entry, NOTHING, SHORT, WORD } from "./entry.ts";

export const FOLDERS_API: readonly Entry[] = [
  { call: "GET /api/folders", door: "person", without: SHORT },
  {
    call: "POST /api/folders",
    door: "person",
    json: ({ file_name }) => ({ name: `f-${file_name}` }),
    ok: 201,
    takes: { name: FILE_NAME_MAX },
  },
  {
    call: "PATCH /api/folders/:folder_id",
    door: "owner",
    needs: "folder",
    json: ({ folder_id }) => ({ name: `n-${folder_id}` }),
    takes: { name: FILE_NAME_MAX },
  },
  { call: "DELETE /api/folders/:folder_id", door: "owner", needs: "folder", without: NOTHING },
  { call: "POST /api/folders/:folder_id/restore", door: "owner", needs: "trashedFolder", without: NOTHING },
  // Nothing is in it to be shared.
  {
    call: "POST /api/folders/:folder_id/share",
    door: "owner",
    needs: "folder",
    json: () => ({}),
    ok: 409,
    mayBeEmpty: true,
    takes: { password: WORD, expires_at: WORD },
  },
  { call: "GET /api/folders/:folder_id/zip", door: "owner", needs: "folder", without: NOTHING },
  { call: "GET /api/tree", door: "person", query: "?deep=1", takes: { path: WORD, cursor: WORD } },
];
