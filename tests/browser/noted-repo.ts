/** A mirrored repository with everything its pages show: notes, a detached note, a history and an analysis. */
import type { APIRequestContext } from "playwright";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { until } from "#tests/support/test-runs/until.ts";

/** Further files of the first commit, beside those with notes. */
type Tree = Record<string, string | Buffer>;

const SYNCED_MS = 60_000;

export async function makeNotedRepo(
  request: APIRequestContext,
  remote: GitRemote,
  name: string,
  more: Tree = {},
): Promise<void> {
  const encoded = encodeURIComponent(name);
  const readCount = async (path: string, field: string) =>
    Number((await (await request.get(path)).json())[field] ?? -1);
  const orphans = () => readCount(`/api/sticky-notes/repo-orphans/${encoded}`, "count");
  remote.commit({
    ...more,
    "README.md": "# Tools\n",
    "src/main.py": "def one():\n    return 1\n",
    "src/gone.py": "x = 1\n",
    "package.json": '{"dependencies":{"zod":"4"}}\n',
  });
  await request.post("/api/repos", { data: { url: remote.url, name } });
  await until(async () => (await orphans()) === 0, SYNCED_MS);
  for (const path of ["src/main.py", "src/gone.py"])
    await request.post(`/api/sticky-notes/repo/${encoded}/${encodeURIComponent(path)}`, {
      data: { content: "- [ ] look", line_start: 1 },
    });
  remote.commit({ "src/gone.py": null, "lib/gone.py": "y = 2\n" }, "Move it");
  await request.post(`/api/repos/${encoded}/sync`);
  await until(async () => (await orphans()) === 1, SYNCED_MS);
  await request.post(`/api/repos/${encoded}/analysis`);
  const analysed = async () => (await request.get(`/api/repos/${encoded}/analysis`)).status() === 200;
  await until(analysed, SYNCED_MS);
}
