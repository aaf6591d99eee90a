/** A worker that only asks git for a remote, for a test that kills it. */

import { tmpdir } from "node:os";
import { itemAt } from "#domain/required.ts";
import { runGit } from "#worker/mirror/git.ts";
import { prepareRemote } from "#worker/mirror/remote.ts";

const url = itemAt(process.argv, 2);
await runGit({
  ...(await prepareRemote(url, null, { allowLocal: true })),
  cwd: tmpdir(),
  args: ["ls-remote", "--", url],
  timeoutMs: 600_000,
  maxFileBytes: 1_000_000,
  signal: new AbortController().signal,
});
