import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { ensureFolders, readFolders } from "#db/files/folders/folders.server.ts";
import { planImport } from "#db/repos/repo-import.server.ts";
import { toItemPath } from "#domain/files/folders/folder-tree.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const store = await openTestStore();
const { db, clock, events } = store;
const mirrors = openMirrors(store);
const remote = createRemote("dana/lib");
remote.commit({
  "src/a/index.ts": "export const a = 1;\n",
  "src/b/index.ts": "export const b = 1;\n",
  "src/only.py": "print(1)\n",
  "docs/שלום.md": "# שלום\n",
  "logo.bin": Buffer.from([0, 1, 2]),
});
const repo = await mirrors.sync(await mirrors.given("1", { url: remote.url }));
const library = () =>
  db.files.find({ user_id: "1", deleted_at: null, repo: "dana/lib" }).sort({ file_name: 1 }).toArray();

async function listPaths(): Promise<string[]> {
  const tree = await readFolders(db, "1");
  const files = await library();
  return files.map(({ folder_id = null, file_name }) => toItemPath(tree, folder_id, file_name)).toSorted();
}

describe("an import into the library", () => {
  it("is planned without writing anything, each file along its path", async () => {
    expect(await planImport(db, repo, "", clock())).toMatchObject({
      skipped: 1,
      files: [
        { path: "docs/שלום.md", file_name: "שלום.md", known: null },
        {
          path: "src/a/index.ts",
          file_name: "index.ts",
          folders: ["dana", "lib", "src", "a"],
          size: 20,
          language: "typescript",
        },
        { path: "src/b/index.ts", file_name: "index.ts" },
        { path: "src/only.py", file_name: "only.py" },
      ],
    });
    expect(await planImport(db, repo, "src/only.py", clock())).toMatchObject({
      files: [{ file_name: "only.py" }],
    });
    expect(await planImport(db, repo, "nowhere", clock())).toMatchObject({ refused: "repo_path_not_found" });
    expect(await planImport(db, repo, "logo.bin", clock())).toMatchObject({ refused: "repo_import_empty" });
    expect(await library()).toEqual([]);
  });

  it("stores the files' origin, and numbers names that are taken", async () => {
    const folder_id = orThrow(await ensureFolders(db, "1", ["dana", "lib", "src"], clock()));
    await saveFile(db, "1", { file_name: "only.py", folder_id, body: "mine\n" }, clock());
    expect(await mirrors.run("repo_import", { repo_id: repo.id, path: "src" })).toEqual({
      outcome: "imported",
      created: 3,
      updated: 0,
      unchanged: 0,
      failed: 0,
      skipped: 0,
    });
    expect(await listPaths()).toEqual([
      "dana/lib/src/a/index.ts",
      "dana/lib/src/b/index.ts",
      "dana/lib/src/only (2).py",
    ]);
    expect((await library())[0]).toMatchObject({
      language: "typescript",
      source_url: expect.stringMatching(/src\/[ab]\/index\.ts$/),
    });
  });

  it("again makes versions of what changed and leaves the rest", async () => {
    remote.commit({ "src/only.py": "print(2)\n" });
    await mirrors.sync(repo);
    expect(await mirrors.run("repo_import", { repo_id: repo.id, path: "src" })).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 2,
    });
    expect((await library()).map(({ file_name, version }) => [file_name, version])).toEqual([
      ["index.ts", 1],
      ["index.ts", 1],
      ["only (2).py", 2],
    ]);
  });

  it("asked for twice at once brings every file once", async () => {
    const path = "docs";
    const outcomes = await Promise.all(
      [1, 2].map(() => mirrors.run("repo_import", { repo_id: repo.id, path })),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["already_importing", "imported"]);
    expect((await library()).filter(({ language }) => language === "markdown")).toHaveLength(1);
  });

  it("is refused beyond 2,000 files, and beyond 20 MiB", async () => {
    const { id, user_id } = repo;
    const givenFiles = (dir: string, count: number, size: number) =>
      db.repo_files.insertMany(
        Array.from({ length: count }, (_, i) => ({
          _id: new ObjectId(),
          repo_id: new ObjectId(id),
          user_id,
          path: `${dir}/${i}.txt`,
          dir,
          blob: "b",
          size,
          language: "text",
          kind: "text" as const,
        })),
      );
    await givenFiles("many", 2_001, 1);
    await givenFiles("fat", 21, 1024 * 1024);
    expect(await planImport(db, repo, "many", clock())).toMatchObject({
      refused: "repo_import_too_large",
      context: { files: 2_001, max_files: 2_000 },
    });
    expect(await planImport(db, repo, "fat", clock())).toMatchObject({
      refused: "repo_import_too_large",
      context: { bytes: 21 * 1024 * 1024, max_bytes: 20 * 1024 * 1024 },
    });
    await db.repo_files.deleteOne({ repo_id: new ObjectId(id), path: "fat/0.txt" });
    expect(await planImport(db, repo, "fat", clock())).toMatchObject({ bytes: 20 * 1024 * 1024 });
  });

  it("that cannot be made fails and says why", async () => {
    await expect(mirrors.run("repo_import", { repo_id: repo.id, path: "logo.bin" })).rejects.toThrow(
      "repo_import_empty",
    );
    expect(await events("codehost_import_repo_error")).toMatchObject([
      { repo: repo.id, error: "repo_import_empty", resource: { type: "repo", id: repo.id } },
    ]);
  });
});
