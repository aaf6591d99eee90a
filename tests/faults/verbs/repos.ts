import type { Db } from "#db/client.ts";
import { createRepoNote } from "#db/notes/repos/repo-notes.server.ts";
import { reattachFileNotes, reattachNote } from "#db/notes/repos/repo-reattach.server.ts";
import { reencryptTokens } from "#db/repos/encrypted-tokens.server.ts";
import { importFiles, planImport } from "#db/repos/repo-import.server.ts";
import {
  claimImport,
  releaseImport,
  renewImport,
  requestAnalysis,
  requestImport,
} from "#db/repos/repo-runs.server.ts";
import {
  claimSync,
  deferSync,
  failSync,
  finishSync,
  releaseSync,
  requestSync,
  writeWhileHeld,
} from "#db/repos/repo-sync.server.ts";
import { setRepoUrl } from "#db/repos/repo-url.server.ts";
import { createRepo, finishRepoRemoval, removeRepo, toRepo } from "#db/repos/repos.server.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";
import { encryptSecret } from "#platform/secrets/encrypted-secret.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenNote, givenUsage, inRepo, LATER, quietQueue } from "./given.ts";

import { givenFilled, givenRepo, REPO_URL } from "./given-mirror.ts";

const WISH = { url: REPO_URL, name: "dana/tools" };
const RULE = { allowLocal: true, dataKeys };
const SYNCED = { branch: "main", head: "c".repeat(40), files: 2, bytes: 9, skipped: 0 };
const HELD = { holder: "h1", worker_id: "w1", living: ["w1"] };
const TWICE = { job_runs: "a run that was queued and then told to have failed is queued beside the next" };

const LEASE = { holder: "h1", worker_id: "w1", until: LATER };
const givenLeased = (db: Db) => givenRepo(db, { lease: LEASE });

const syncs = {
  "repo-sync/requestSync": row(
    givenRepo,
    (db, repo) => requestSync(db, quietQueue, toRepo(repo), "manual", LATER),
    { mayDiffer: TWICE },
  ),
  "repo-sync/deferSync": row(givenRepo, (db, repo) => deferSync(db, repo, LATER)),
  "repo-sync/claimSync": row(givenRepo, (db, repo) => claimSync(db, repo, HELD, NOON)),
  "repo-sync/writeWhileHeld": row(givenLeased, (db, repo) =>
    writeWhileHeld(db, repo, "h1", LATER, { text_bytes: 7 }),
  ),
  "repo-sync/finishSync": row(
    (db) => givenRepo(db, { wanted_at: LATER, lease: LEASE }),
    (db, repo) => finishSync(db, repo, "h1", { synced: SYNCED, began: NOON, now: LATER, next: LATER }),
  ),
  "repo-sync/failSync": row(givenLeased, (db, repo) =>
    failSync(db, repo, "h1", "not_found" as never, { now: NOON, everyMinutes: 60 }),
  ),
  "repo-sync/releaseSync": row(givenLeased, (db, repo) => releaseSync(db, repo, "h1")),
  "repo-runs/requestImport": row(
    givenRepo,
    (db, repo) => requestImport(db, quietQueue, toRepo(repo), "", NOON),
    { mayDiffer: TWICE },
  ),
  "repo-runs/requestAnalysis": row(
    givenRepo,
    (db, repo) => requestAnalysis(db, quietQueue, toRepo(repo), NOON),
    { mayDiffer: TWICE },
  ),
  "repo-runs/claimImport": row(givenRepo, (db, repo) => claimImport(db, toRepo(repo), NOON)),
  "repo-runs/renewImport": row(givenRepo, (db, repo) => renewImport(db, toRepo(repo), NOON)),
  "repo-runs/releaseImport": row(
    (db) => givenRepo(db, { importing_until: LATER }),
    (db, repo) => releaseImport(db, toRepo(repo)),
  ),
};

const IMPORTING = { now: () => NOON, signal: new AbortController().signal, onFile: async () => {} };
const OLD_KEYS = { current: "an older key that is for tests alone", previous: null };

const repos = {
  "encrypted-tokens/reencryptTokens": row(
    (db) => givenRepo(db, { sealed_token: encryptSecret(OLD_KEYS, "a token") }),
    (db) => reencryptTokens(db, () => ({ ...dataKeys(), previous: OLD_KEYS.current })),
  ),
  "repos/createRepo": row(nothing, (db) => createRepo(db, OWNER, WISH, RULE, NOON)),
  "repo-url/setRepoUrl": row(
    (db) => givenRepo(db, { error: "unreachable", failures: 1 }),
    (db) => setRepoUrl(db, OWNER, "dana/tools", { url: `${REPO_URL}.moved` }, RULE, NOON),
  ),
  "repos/removeRepo": row(givenFilled, (db) => removeRepo(db, OWNER, "dana/tools", NOON), {
    finish: // After its first write the mirror is gone for its owner; the worker finishes the removal.
      async (db, repo) => {
        await removeRepo(db, OWNER, "dana/tools", NOON);
        await finishRepoRemoval(db, repo, NOON);
      },
  }),
  "repos/finishRepoRemoval": row(
    (db) => givenFilled(db, { removed_at: NOON, named: undefined }),
    (db, repo) => finishRepoRemoval(db, repo, NOON),
  ),
  "repo-import/planImport": row(givenFilled, (db, repo) => planImport(db, toRepo(repo), "src", NOON)),
  "repo-import/importFiles": row(
    async (db) => {
      const repo = await givenFilled(db);
      await givenUsage(db, 0);
      return { repo, plan: orThrow(await planImport(db, toRepo(repo), "src", NOON)) };
    },
    (db, { repo, plan }) => importFiles(db, toRepo(repo), plan, IMPORTING),
    {
      finish: // An interrupted run starts again with a new plan.
        async (db, { repo }) => {
          const plan = orThrow(await planImport(db, toRepo(repo), "src", NOON));
          await importFiles(db, toRepo(repo), plan, IMPORTING);
        },
    },
  ),
  "repo-notes/createRepoNote": row(
    (db) => Promise.all([givenFilled(db), givenUsage(db, 0)]),
    (db) => {
      const target = { kind: "repo", repo_name: "dana/tools", repo_path: "src/a.py" } as const;
      const fields = { ...NEW_NOTE, mode: "surface" as const, content: "one" };
      return createRepoNote(db, OWNER, { target, fields, quota: { maxPerUser: 1000 }, now: NOON });
    },
  ),
  "repo-reattach/reattachNote": row(
    async (db) => {
      await givenFilled(db);
      return givenNote(db, inRepo("gone.py"));
    },
    (db, { id }) => reattachNote(db, OWNER, id, "src/a.py", { now: LATER }),
  ),
  "repo-reattach/reattachFileNotes": row(
    (db) => Promise.all([givenFilled(db), ...[1, 2].map(() => givenNote(db, inRepo("gone.py")))]),
    (db) => {
      const from = { kind: "repo", repo_name: "dana/tools", repo_path: "gone.py" } as const;
      return reattachFileNotes(db, OWNER, from, "src/a.py", LATER);
    },
  ),
};

export const REPO_VERBS: Record<string, VerbRow> = { ...syncs, ...repos };
