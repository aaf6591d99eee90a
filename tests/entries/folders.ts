import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { defineEntries, NOTHING, SHORT, WORD } from "./entry.ts";

export const FOLDERS_API = defineEntries({
  "GET /api/folders": { door: "person", without: SHORT },
  "POST /api/folders": {
    door: "person",
    json: ({ file_name }) => ({ name: `f-${file_name}` }),
    ok: 201,
    takes: { name: FILE_NAME_MAX },
  },
  "PATCH /api/folders/:folder_id": {
    door: "owner",
    needs: "folder",
    json: ({ folder_id }) => ({ name: `n-${folder_id}` }),
    takes: { name: FILE_NAME_MAX },
  },
  "DELETE /api/folders/:folder_id": { door: "owner", needs: "folder", without: NOTHING },
  "POST /api/folders/:folder_id/restore": { door: "owner", needs: "trashedFolder", without: NOTHING },
  // The folder has no file to share.
  "POST /api/folders/:folder_id/share": {
    door: "owner",
    needs: "folder",
    json: () => ({}),
    ok: 409,
    mayBeEmpty: true,
    takes: { password: WORD, expires_at: WORD },
  },
  "GET /api/folders/:folder_id/zip": { door: "owner", needs: "folder", without: NOTHING },
  "GET /api/tree": { door: "person", query: "?deep=1", takes: { path: WORD, cursor: WORD } },
});
