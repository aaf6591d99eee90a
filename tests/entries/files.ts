/** Files, their versions and the trash. */
import { QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { BODY_MAX_BYTES, DESCRIPTION_MAX, FILE_NAME_MAX } from "#domain/files/file.ts";
import { REPO_PATH_MAX } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";
import { NEEDLE_MAX } from "#domain/search/folded.ts";
import type { Names } from "#tests/authorisation/belongings.ts";
import { defineEntries, MEGABYTE, NOTHING, SHORT, TAGS, URL_LENGTH, WORD } from "./entry.ts";

const selected = ({ file_id }: Names) => ({ file_ids: [file_id], tags: ["one"] });

export const FILES_API = defineEntries({
  "GET /api/files": {
    door: "person",
    takes: { q: NEEDLE_MAX, lang: WORD, category: WORD, cursor: WORD },
    shows: ["found"],
  },
  "PUT /api/files/*path": {
    door: "person",
    raw: "x\n",
    ok: 201,
    bodyMaxBytes: 2 * MEGABYTE,
    answersAbsent: ["path"],
    takes: { body: BODY_MAX_BYTES },
  },
  "GET /api/files/*path": { door: "owner", needs: "file", takes: { version: WORD }, shows: ["file"] },
  "DELETE /api/files/*path": { door: "owner", needs: "file", without: NOTHING },
  "GET /api/file": { door: "person", query: "?path=a.py", takes: { path: URL_LENGTH, folder: URL_LENGTH } },
  "GET /api/file/:file_id": { door: "owner", needs: "file", query: "?content=1", shows: ["file"] },
  "PATCH /api/file/:file_id": {
    door: "owner",
    needs: "file",
    json: ({ file_id }) => ({ file_name: `renamed-${file_id}.py` }),
    takes: { file_name: FILE_NAME_MAX, description: DESCRIPTION_MAX, tags: TAGS, language: WORD },
    shows: ["file"],
  },
  "GET /api/file/:file_id/content": {
    door: "owner",
    needs: "file",
    takes: { version: WORD },
    shows: ["file"],
  },
  "GET /api/file/:file_id/versions": {
    door: "owner",
    needs: "versions",
    takes: { cursor: WORD, limit: WORD },
    shows: ["versions"],
  },
  "POST /api/file/:file_id/trash": { door: "owner", needs: "file", without: NOTHING },
  "POST /api/trash/:file_id/restore": { door: "owner", needs: "trashed", without: NOTHING },
  "POST /api/trash/:file_id/purge": { door: "owner", needs: "trashed", without: NOTHING },
  "POST /api/favorite/toggle/:file_id": { door: "owner", needs: "file", without: NOTHING },
  "POST /api/pin/toggle/:file_id": { door: "owner", needs: "file", without: NOTHING },
  "POST /api/files/bulk-favorite": {
    door: "owner",
    needs: "file",
    json: selected,
    takes: { file_ids: WORD },
  },
  "POST /api/files/bulk-unfavorite": {
    door: "owner",
    needs: "file",
    json: selected,
    takes: { file_ids: WORD },
  },
  "POST /api/files/bulk-tag": { door: "owner", needs: "file", json: selected, takes: { tags: TAGS } },
  "POST /api/files/bulk-move": {
    door: "owner",
    needs: "file",
    json: ({ file_id }) => ({ file_ids: [file_id], folder_id: null }),
    takes: { file_ids: WORD },
  },
  "POST /api/files/bulk-delete": { door: "owner", needs: "file", json: selected, takes: { file_ids: WORD } },
  "POST /api/files/create-zip": {
    door: "owner",
    needs: "file",
    json: selected,
    takes: { file_ids: WORD },
    shows: ["file"],
  },
  "POST /api/files/create-share-link": {
    door: "owner",
    needs: "file",
    json: selected,
    takes: { file_ids: WORD },
  },
  "POST /api/file/:file_id/restore-version": {
    door: "owner",
    needs: "versions",
    json: () => ({ version: 1 }),
    takes: { version: WORD },
    shows: ["versions"],
  },
  "POST /api/gists": {
    door: "person",
    json: () => ({ gist: {} }),
    bodyMaxBytes: 8 * MEGABYTE,
    ok: 400,
    takes: { gist: BODY_MAX_BYTES, url: 500 },
  },
});

export const FILES_PAGES = defineEntries({
  "GET /dashboard": { door: "person", without: SHORT },
  "GET /files": {
    door: "person",
    takes: { q: NEEDLE_MAX, lang: WORD, category: WORD, cursor: WORD },
    shows: ["found"],
  },
  "GET /upload": { door: "person", without: NOTHING },
  "GET /upload/gist": { door: "person", without: NOTHING },
  "POST /upload/gist": {
    door: "person",
    form: () => ({ gist: "{}" }),
    ok: 400,
    takes: { gist: BODY_MAX_BYTES, url: 500 },
  },
  "POST /upload": {
    door: "person",
    form: ({ file_name }) => ({ file_name: required(file_name), text: "x" }),
    ok: 303,
    takes: {
      file_name: FILE_NAME_MAX,
      text: BODY_MAX_BYTES,
      description: DESCRIPTION_MAX,
      tags: TAGS,
      shared_title: WORD,
    },
  },
  "GET /files/actions": { door: "person", ok: 302, without: NOTHING },
  "POST /files/actions": {
    door: "owner",
    needs: "file",
    form: ({ id }) => ({ intent: `trash:${id}` }),
    ok: 303,
    refused: 303,
    takes: { intent: WORD, every: WORD, tags: TAGS, description: DESCRIPTION_MAX, next: URL_LENGTH },
  },
  "GET /trash": { door: "person", takes: { cursor: WORD } },
  "GET /file/:id": {
    door: "owner",
    needs: "file",
    takes: { v: WORD, L: WORD, from: WORD },
    shows: ["file", "document", "notes", "edited"],
  },
  "POST /file/:id": {
    door: "owner",
    needs: "file",
    form: () => ({ intent: "forget" }),
    ok: 303,
    takes: { intent: WORD, question: QUESTION_MAX, timeout: WORD },
    shows: ["file"],
  },
  "GET /file/:id/compare": {
    door: "owner",
    needs: "versions",
    takes: { from: WORD, to: WORD },
    shows: ["versions"],
  },
  "GET /file/:id/history": { door: "owner", needs: "versions", takes: { before: WORD }, shows: ["versions"] },
  "POST /file/:id/history": {
    door: "owner",
    needs: "versions",
    form: () => ({ version: "1" }),
    ok: 303,
    takes: { version: WORD },
  },
  "GET /file/:id/reminder": { door: "owner", needs: "file", shows: ["notes"] },
  "GET /file/:id/upload": { door: "owner", needs: "file", shows: ["file"] },
  "POST /file/:id/upload": {
    door: "owner",
    needs: "file",
    form: () => ({}),
    ok: 400,
    takes: { repo_name: WORD, path: REPO_PATH_MAX, branch: WORD, message: 1_000 },
  },
  "GET /file/:id/share": { door: "owner", needs: "file", takes: { L: WORD }, shows: ["file"] },
  "POST /file/:id/share": {
    door: "owner",
    needs: "file",
    form: () => ({ content: "full", lifetime: "7" }),
    ok: 303,
    takes: { lines: WORD, password: 1_000, max_views: WORD },
  },
  "GET /edit/:id": { door: "owner", needs: "file", shows: ["file"] },
  "POST /edit/:id": {
    door: "owner",
    needs: "file",
    form: () => ({ text: "new\n", version: "1" }),
    ok: 303,
    takes: {
      text: BODY_MAX_BYTES,
      mine: BODY_MAX_BYTES,
      file_name: FILE_NAME_MAX,
      description: DESCRIPTION_MAX,
      tags: TAGS,
      version: WORD,
    },
    shows: ["stale"],
  },
  "GET /html/:id": { door: "owner", needs: "page", shows: ["page"] },
  "GET /html/:id/run": { door: "owner", needs: "page", shows: ["page"] },
  "GET /md/:id": { door: "owner", needs: "document", shows: ["document"] },
  "POST /md/:id": {
    door: "owner",
    needs: "document",
    form: () => ({ version: "1", task: "0:on" }),
    ok: 303,
    takes: { version: WORD, task: WORD },
  },
  "GET /svg/:id": { door: "owner", needs: "drawing", shows: ["drawing"] },
  "GET /raw_svg/:id": { door: "owner", needs: "drawing", shows: ["drawing"] },
  "GET /download/:id": { door: "owner", needs: "file", shows: ["file"] },
});
