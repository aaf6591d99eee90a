import { z } from "zod";
import { changeRepoUrl } from "#app/repos/repo-url.server.ts";
import {
  commitShape,
  repoFileShape,
  repoPath,
  repoShape,
  toWireRepo,
  toWireRepoFile,
} from "#app/repos/repo-wire.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { count, createLimitParam, line, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { listCommits, listTree, readRepoFile } from "#db/repos/repo-tree.server.ts";
import { createRepo, findReadableRepo, findRepo, listRepos, removeRepo } from "#db/repos/repos.server.ts";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { repoAddress, repoRequest } from "#domain/repos/repo-schema.ts";
import { required } from "#domain/required.ts";
import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { codePoints } from "#domain/text/text.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";

const HITS = { default: 30, max: 100 };
const COMMITS = { default: 50, max: 200 };

const tree = z.object({
  ok,
  repo_name: z.string(),
  path: z.string(),
  folders: z.array(z.string()),
  files: z.array(repoFileShape),
  truncated: z.boolean(),
  last_sync_time: timestamp,
});
const file = z.object({
  ok,
  repo_name: z.string(),
  file: repoFileShape,
  content: z.string().nullable(),
  last_sync_time: timestamp,
});
const hit = z.object({
  file: repoFileShape,
  line: z.object({ number: line, text: z.string() }).nullable(),
});

/** Repositories that a person mirrors. A name is written into an address as `owner%2Fname`. */
export const repoEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/repos",
    gate: "user",
    summary: "List mirrors",
    returns: { 200: z.object({ ok, repos: z.array(repoShape), count }) },
    answer: async ({ services: { db, clock }, signedIn }) => {
      const repos = await listRepos(db, signedIn.user.id, clock());
      return { ok: true, repos: repos.map(toWireRepo), count: repos.length };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/repos",
    gate: "user",
    summary: "Add a mirror",
    body: repoRequest,
    refuses: [
      "repo_url_not_allowed",
      "repo_url_not_public",
      "invalid_repo_name",
      "invalid_repo_token",
      "repo_name_taken",
      "repo_limit",
    ],
    returns: { 201: z.object({ ok, repo: repoShape }) },
    answer: async ({ services: { db, queue, clock, env }, signedIn, body }) => {
      const now = clock();
      const rule = { allowLocal: env.codehost.allowLocal, dataKeys: env.dataKeys };
      const repo = await createRepo(db, signedIn.user.id, body, rule, now);
      if (isRefusal(repo)) return repo;
      const sync_run_id = await requestSync(db, queue, repo, "manual", now);
      return Response.json({ ok: true, repo: toWireRepo({ ...repo, sync_run_id }) }, { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name",
    gate: "user",
    summary: "Get a mirror and the state of its last sync",
    returns: { 200: z.object({ ok, repo: repoShape }) },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name } }) => {
      const repo = await findRepo(db, signedIn.user.id, repo_name, clock());
      return repo ? { ok: true, repo: toWireRepo(repo) } : Refusal("repo_not_found", { repo_name });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/api/repos/:repo_name",
    gate: "user",
    summary:
      "Point a mirror to another URL and sync it; without a token the stored one stays for the same host",
    body: repoAddress,
    refuses: ["repo_url_not_allowed", "repo_url_not_public", "invalid_repo_token", "repo_syncing"],
    returns: { 200: z.object({ ok, repo: repoShape }) },
    answer: async ({ services, signedIn, params: { repo_name }, body }) => {
      const repo = await changeRepoUrl(services, signedIn.user.id, repo_name, body);
      return isRefusal(repo) ? repo : { ok: true, repo: toWireRepo(repo) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/repos/:repo_name",
    gate: "user",
    summary: "Remove a mirror; notes on its files are kept",
    returns: { 200: z.object({ ok, repo_name: z.string() }) },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name } }) => {
      const result = await removeRepo(db, signedIn.user.id, repo_name, clock());
      return isRefusal(result) ? result : { ok: true, repo_name };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/repos/:repo_name/sync",
    gate: "user",
    summary: "Sync a mirror",
    returns: { 202: z.object({ ok, run_id: opaqueId }) },
    answer: async ({ services: { db, queue, clock }, signedIn, params: { repo_name } }) => {
      const repo = await findRepo(db, signedIn.user.id, repo_name, clock());
      if (!repo) return Refusal("repo_not_found", { repo_name });
      const run_id = await requestSync(db, queue, repo, "manual", clock());
      return Response.json({ ok: true, run_id }, { status: 202 });
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/tree",
    gate: "user",
    summary: "List a folder of a mirror",
    query: z.object({ path: repoPath.default("") }),
    refuses: ["repo_path_not_found", "repo_not_synced"],
    returns: { 200: tree },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name }, query }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      const listing = await listTree(db, repo, query.path);
      if (isRefusal(listing)) return listing;
      const files = listing.files.map(toWireRepoFile);
      return {
        ok: true,
        repo_name,
        ...listing,
        files,
        last_sync_time: toTimestamp(required(repo.last_sync_time, "moment of the last sync")),
      };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/file",
    gate: "user",
    summary: "Get a file of a mirror; content is null if it is not text or larger than 1 MiB",
    query: z.object({ path: repoPath }),
    refuses: ["repo_path_not_found", "repo_not_synced"],
    returns: { 200: file },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name }, query }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      const result = await readRepoFile(db, repo, query.path);
      if (isRefusal(result)) return result;
      const last_sync_time = toTimestamp(required(repo.last_sync_time, "moment of the last sync"));
      return { ok: true, repo_name, file: toWireRepoFile(result.file), content: result.text, last_sync_time };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/search",
    gate: "user",
    summary: "Search the files of a mirror by path or content",
    query: z.object({
      q: z.string().trim().describe("Words to find in paths and contents."),
      limit: createLimitParam(HITS.default, HITS.max),
    }),
    refuses: ["empty_query", "query_too_long", "repo_not_synced"],
    returns: { 200: z.object({ ok, repo_name: z.string(), hits: z.array(hit), more: z.boolean() }) },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name }, query: { q, limit } }) => {
      if (q === "") return Refusal("empty_query");
      if (codePoints(q) > NEEDLE_MAX) return Refusal("query_too_long", { max: NEEDLE_MAX });
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      const { hits, more } = await searchRepo(db, repo, { q, limit });
      const onWire = hits.map(({ file: hitFile, line: matchingLine }) => ({
        file: toWireRepoFile(hitFile),
        line: matchingLine && {
          number: matchingLine.number,
          text: matchingLine.parts.map(({ text }) => text).join(""),
        },
      }));
      return { ok: true, repo_name, hits: onWire, more };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/history",
    gate: "user",
    summary: "List recent commits of a mirror, or of one file",
    query: z.object({ path: repoPath.optional(), limit: createLimitParam(COMMITS.default, COMMITS.max) }),
    refuses: ["repo_path_not_found", "repo_not_synced"],
    returns: { 200: z.object({ ok, repo_name: z.string(), commits: z.array(commitShape) }) },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name }, query }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      const commits = await listCommits(db, repo, query);
      return { ok: true, repo_name, commits: commits.map(writeTimestamps) };
    },
  }),
];
