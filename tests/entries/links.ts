import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { required } from "#domain/required.ts";
import { defineEntries, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const LINKS_API = defineEntries({
  "GET /api/shares": { door: "person", without: SHORT },
  "POST /api/share/:file_id": {
    door: "owner",
    needs: "file",
    json: () => ({}),
    mayBeEmpty: true,
    takes: { mode: WORD, lines: WORD, password: WORD },
    shows: ["file"],
  },
  "DELETE /api/shares/:share_id": { door: "owner", needs: "share", without: NOTHING },
  "POST /api/shared/save": {
    door: "person",
    needs: "share",
    json: ({ share_id }) => ({ share_id }),
    noBody: { error: "Missing share_id" },
    takes: { share_id: WORD, file_name: FILE_NAME_MAX, password: WORD },
  },
});

export const LINKS_PAGES = defineEntries({
  "GET /share/:id": {
    door: "anyone",
    needs: "share",
    takes: { key: WORD, view: WORD },
    shows: ["share", "sharedDocument", "sharedPage"],
  },
  "POST /share/:id": {
    door: "anyone",
    needs: "share",
    form: () => ({ intent: "open" }),
    ok: 303,
    takes: { intent: WORD, password: 1_000 },
  },
  "GET /share/:id/:form": { door: "anyone", needs: "share", shows: ["share", "sharedDocument"] },
  "GET /share/:id/embed": {
    door: "anyone",
    needs: "share",
    takes: { L: WORD, theme: WORD },
    shows: ["share", "sharedDocument"],
  },
  "GET /oembed": { door: "anyone", ok: 400, takes: { url: URL_LENGTH, format: WORD, maxwidth: WORD } },
  "GET /shared/:token": { door: "anyone", needs: "link", shows: ["link", "folderLink"] },
  "POST /shared/:token": {
    door: "anyone",
    needs: "link",
    form: () => ({ intent: "open" }),
    ok: 303,
    takes: { intent: WORD, password: 1_000 },
  },
  "GET /shared/:token/zip": { door: "anyone", needs: "link", shows: ["link"] },
  "GET /shared/:token/:place": { door: "anyone", needs: "link", shows: ["link", "folderLink"] },
  "POST /shared/:token/:place": {
    door: "anyone",
    needs: "link",
    form: () => ({ intent: "open" }),
    ok: 303,
    takes: { intent: WORD, password: 1_000 },
  },
  "GET /shared/:token/:place/:form": { door: "anyone", needs: "link", shows: ["link"] },
  "GET /shared/:token/:place/embed": { door: "anyone", needs: "link", shows: ["link"] },
  "GET /shares": { door: "person", takes: { made: WORD } },
  "POST /shares": {
    door: "owner",
    needs: "share",
    form: ({ id }) => ({ revoke: required(id) }),
    ok: 303,
    takes: { revoke: WORD },
  },
});
