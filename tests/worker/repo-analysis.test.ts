import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findAnalysis } from "#db/repos/repo-analyses.server.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";

const store = await openTestStore();
const { db, clock, events } = store;
const mirrors = openMirrors(store);

describe("the analysis of a mirror", () => {
  it("stores its findings and announces its stages", async () => {
    const remote = createRemote("dana/app");
    remote.commit({
      "README.md": "# App\n",
      LICENSE: "MIT License\n\nPermission is hereby granted\n",
      "package.json": JSON.stringify({ dependencies: { zod: "4" }, devDependencies: { vitest: "4" } }),
      "src/main.ts": "export const a = 1;\n".repeat(50),
    });
    const head = remote.commit({
      "src/main.ts": "export const a = 2;\n".repeat(60),
      "tests/main.test.ts": "x\n",
    });
    const repo = await mirrors.sync(await mirrors.given("1", { url: remote.url }));

    expect(await mirrors.run("repo_analysis", { repo_id: repo.id })).toEqual({
      outcome: "analysed",
      files: 5,
    });

    expect(await findAnalysis(db, repo)).toMatchObject({
      head,
      analysed_at: clock(),
      analysis: {
        files: 5,
        languages: [{ language: "typescript", files: 2 }, { language: "json" }, {}, {}],
        biggest: [{ path: "src/main.ts", size: 1200 }, {}, {}, {}, {}],
        most_changed: [{ path: "src/main.ts", commits: 2 }, {}, {}, {}, {}],
        commits: 2,
        readme: "README.md",
        licence: { path: "LICENSE", name: "MIT" },
        dependencies: [{ path: "package.json", kind: "npm", names: ["zod", "vitest"], count: 2 }],
        tests: 1,
        ci: [],
        suggestions: ["add_ci", "add_ignore_file", "lock_dependencies"],
      },
    });
    const about = { repo: repo.id, resource: { type: "repo", id: repo.id } };
    expect(await events("repo_analysis_start")).toMatchObject([about]);
    expect(await events("repo_analysis_parsed")).toMatchObject([{ ...about, count: 5 }]);
    expect(await events("repo_analysis_done")).toMatchObject([{ ...about, ms: expect.any(Number) }]);
    expect(await events("repo_analysis_error")).toEqual([]);
  });

  it("of a mirror that is not there fails, and says so", async () => {
    const repo_id = new ObjectId().toHexString();
    await expect(mirrors.run("repo_analysis", { repo_id })).rejects.toThrow("not mirrored");
    expect(await events("repo_analysis_error")).toMatchObject([{ repo: repo_id, error: "NothingToAnalyse" }]);
  });

  it("asked for no mirror does nothing", async () => {
    expect(await mirrors.run("repo_analysis", {})).toEqual({ outcome: "nothing" });
  });
});
