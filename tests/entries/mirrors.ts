import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { REPO_PATH_MAX } from "#domain/repos/repo.ts";
import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { defineEntries, MEGABYTE, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const MIRRORS_API = defineEntries({
  "GET /api/repos": { door: "person", without: SHORT },
  "POST /api/repos": {
    door: "person",
    json: ({ file_name }) => ({ url: "https://example.org/of/anyone.git", name: `of/${file_name}` }),
    ok: 201,
    takes: { url: URL_LENGTH, name: WORD, token: WORD },
  },
  "GET /api/repos/:repo_name": { door: "owner", needs: "repo", without: SHORT },
  "PATCH /api/repos/:repo_name": {
    door: "owner",
    needs: "repo",
    json: () => ({ url: "https://example.org/of/another.git" }),
    takes: { url: URL_LENGTH, token: WORD },
  },
  "DELETE /api/repos/:repo_name": { door: "owner", needs: "repo", without: NOTHING },
  "POST /api/repos/:repo_name/sync": { door: "owner", needs: "repo", ok: 202, without: NOTHING },
  "GET /api/repos/:repo_name/tree": {
    door: "owner",
    needs: "repo",
    ok: 503,
    takes: { path: REPO_PATH_MAX },
    shows: ["repo"],
  },
  "GET /api/repos/:repo_name/file": {
    door: "owner",
    needs: "repo",
    query: "?path=a",
    ok: 503,
    takes: { path: REPO_PATH_MAX },
    shows: ["repo"],
  },
  "GET /api/repos/:repo_name/search": {
    door: "owner",
    needs: "repo",
    query: "?q=one",
    ok: 503,
    takes: { q: NEEDLE_MAX },
    shows: ["repo"],
  },
  "GET /api/repos/:repo_name/history": {
    door: "owner",
    needs: "repo",
    ok: 503,
    takes: { path: REPO_PATH_MAX },
  },
  "GET /api/repos/:repo_name/import": {
    door: "owner",
    needs: "repo",
    ok: 503,
    takes: { path: REPO_PATH_MAX },
    shows: ["repo"],
  },
  "POST /api/repos/:repo_name/import": {
    door: "owner",
    needs: "repo",
    json: () => ({}),
    ok: 503,
    mayBeEmpty: true,
    takes: { path: REPO_PATH_MAX },
  },
  "POST /api/repos/:repo_name/upload": {
    door: "owner",
    needs: "repo",
    json: () => ({ path: "a.txt", content: "x" }),
    ok: 503,
    takes: { path: REPO_PATH_MAX, content: 900_000, message: 1_000, branch: WORD },
  },
  "GET /api/repos/:repo_name/analysis": { door: "owner", needs: "analysed", without: SHORT },
  "POST /api/repos/:repo_name/analysis": { door: "owner", needs: "repo", ok: 503, without: NOTHING },
  "GET /api/repos/:repo_name/runs/:run_id": { door: "owner", needs: "repo", without: SHORT },
  // Accepts callers who sign with its own secret; none is configured here.
  "POST /api/webhooks/codehost": {
    door: "anyone",
    raw: "{}",
    ok: 503,
    bodyMaxBytes: 5 * MEGABYTE,
    takes: { body: BODY_MAX_BYTES },
  },
});

export const MIRRORS_PAGES = defineEntries({
  "GET /repos": { door: "person", without: SHORT },
  "POST /repos": {
    door: "person",
    form: () => ({}),
    ok: 400,
    takes: { intent: WORD, url: URL_LENGTH, name: WORD, token: WORD },
  },
  "GET /repos/:name": { door: "owner", needs: "repo", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  "POST /repos/:name": {
    door: "owner",
    needs: "repo",
    form: () => ({}),
    ok: 400,
    takes: { url: URL_LENGTH, token: WORD },
  },
  "GET /repos/:name/file": {
    door: "owner",
    needs: "repo",
    query: "?path=a",
    ok: 302,
    takes: { path: REPO_PATH_MAX },
    shows: ["repo"],
  },
  "GET /repos/:name/search": { door: "owner", needs: "repo", takes: { q: NEEDLE_MAX }, shows: ["repo"] },
  "GET /repos/:name/history": { door: "owner", needs: "repo", takes: { path: REPO_PATH_MAX } },
  "GET /repos/:name/orphans": { door: "owner", needs: "repo", ok: 503, shows: ["repo"] },
  "POST /repos/:name/orphans": {
    door: "owner",
    needs: "repo",
    form: () => ({ from: "a", path: "b" }),
    ok: 503,
    refused: 303,
    takes: { from: REPO_PATH_MAX, path: REPO_PATH_MAX },
  },
  "GET /repos/:name/import": {
    door: "owner",
    needs: "repo",
    takes: { path: REPO_PATH_MAX },
    shows: ["repo"],
  },
  "POST /repos/:name/import": {
    door: "owner",
    needs: "repo",
    form: () => ({}),
    ok: 400,
    takes: { path: REPO_PATH_MAX },
  },
  "GET /repos/:name/analysis": { door: "owner", needs: "repo", without: SHORT },
  "POST /repos/:name/analysis": { door: "owner", needs: "repo", form: () => ({}), ok: 503, without: NOTHING },
});
