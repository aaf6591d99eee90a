import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { isRefusal } from "#domain/refusal.ts";
import {
  buildSourceUrl,
  checkRepoUrl,
  chooseRepoName,
  isHostedBy,
  isStorablePath,
  listParentFolders,
  repoKey,
} from "#domain/repos/repo.ts";
import { analyseRepo, type RepoAnalysis } from "#domain/repos/repo-analysis.ts";
import { toLibraryPath } from "#domain/repos/repo-import.ts";
import { buildTrail } from "#domain/repos/repo-place.ts";
import { pushEvent, repoAddress, repoRequest } from "#domain/repos/repo-schema.ts";

const url = "https://git.example.com/group/dana/tools.git";

describe("the address of a repository", () => {
  it("is kept as git is given it", () => {
    expect(checkRepoUrl(` ${url}/ `, { allowLocal: false })).toBe(url);
    expect(checkRepoUrl("https://GIT.example.com/a/b", { allowLocal: false })).toBe(
      "https://git.example.com/a/b",
    );
  });

  it("is local only where that is allowed", () => {
    for (const local of ["file:///srv/a/b", "http://127.0.0.1:8080/a/b"]) {
      expect(isRefusal(checkRepoUrl(local, { allowLocal: false }))).toBe(true);
      expect(checkRepoUrl(local, { allowLocal: true })).toBe(local);
    }
    for (const other of "http://127.0.0.1/a/b http://localhost:80/a file://host/a/b git://x/a /srv/a".split(
      " ",
    ))
      expect(isRefusal(checkRepoUrl(other, { allowLocal: true }))).toBe(true);
  });

  it("that is https on this machine is refused as not public", () => {
    expect(checkRepoUrl("https://127.0.0.1:8443/a/b", { allowLocal: false })).toMatchObject({
      refused: "repo_url_not_public",
    });
  });

  it("gives the mirror its name, unless it is told another", () => {
    expect(chooseRepoName(undefined, url)).toBe("dana/tools");
    expect(chooseRepoName("", "https://x.example.com/tools")).toBe("local/tools");
    expect(chooseRepoName("דנה/כלים-2", url)).toBe("דנה/כלים-2");
    for (const name of ["a", "a/b/c", "./b", "a/..", "a b/c", "a:b/c", "/b", "a/<b>"])
      expect(isRefusal(chooseRepoName(name, url))).toBe(true);
  });

  it("is known again in other spellings", () => {
    expect(repoKey(url)).toBe(repoKey("https://GIT.example.com/group/Dana/tools/"));
    expect(repoKey(url)).not.toBe(repoKey("https://git.example.com/group/dana/tools2"));
  });

  it("belongs to the API of its own host alone", () => {
    expect(isHostedBy("https://github.com/a/b", "https://api.github.com")).toBe(true);
    expect(isHostedBy(url, "https://git.example.com/api/v3")).toBe(true);
    expect(isHostedBy("https://evil.example.com/a/b", "https://api.github.com")).toBe(false);
    expect(isHostedBy("https://evilgithub.com/a/b", "https://api.github.com")).toBe(false);
  });

  it("leads to a file at its host", () => {
    expect(buildSourceUrl(url, "main", "src/a b.py")).toBe(
      "https://git.example.com/group/dana/tools/blob/main/src/a%20b.py",
    );
  });
});

describe("a path of a tree", () => {
  it("is kept where a disk would not misread it", () => {
    const good = ["a\nb", "א".repeat(512), ..."a src/a.py שלום/עולם.md .gitignore x.git ... -o".split(" ")];
    expect(good.filter((path) => !isStorablePath(path))).toEqual([]);
    const bad = [
      "",
      "\ud800",
      "א".repeat(513),
      ..."/a a/ a//b . .. a/../b .git .GIT/config a/.git/x".split(" "),
    ];
    expect(bad.filter(isStorablePath)).toEqual([]);
  });

  it("has the directories above it", () => {
    expect([...listParentFolders(["a/b/c.txt", "a/b/d.txt", "a/e/f.txt", "g.txt"])]).toEqual([
      "a/b",
      "a",
      "a/e",
    ]);
    expect([...listParentFolders(["c.txt"])]).toEqual([]);
  });
});

describe("the place of an imported file", () => {
  it("is along its path, in folders named after the mirror", () => {
    expect(toLibraryPath("dana/lib", "src/a/index.ts")).toEqual({
      folders: ["dana", "lib", "src", "a"],
      file_name: "index.ts",
    });
    expect(toLibraryPath("lib", "only.py")).toEqual({ folders: ["lib"], file_name: "only.py" });
  });

  it("has good names and is not too deep, whatever the path", () => {
    for (const path of ["a\nb/\u0001", "x\\y/ /z", `long/${"n".repeat(400)}.py`, `${"d/".repeat(40)}f.py`]) {
      const { folders, file_name } = toLibraryPath("dana/lib", path);
      expect(parseFilePath([...folders, file_name].join("/"))).toEqual({ folders, file_name });
    }
  });
});

describe("an analysis", () => {
  const of = (texts: Record<string, string>, commits: string[][] = []): RepoAnalysis =>
    analyseRepo({
      files: Object.keys(texts).map((path) => ({ path, size: 10, language: "text", kind: "text" })),
      texts: new Map(Object.entries(texts)),
      commits,
    });

  it("of nothing finds and suggests nothing", () => {
    expect(of({})).toMatchObject({ files: 0, languages: [], suggestions: [], readme: null });
  });

  it.each([
    ["requirements.txt", "flask==2\n# comment\n requests>=1\n-r other.txt\n", ["flask", "requests"]],
    ["pyproject.toml", '[project]\ndependencies = [\n  "httpx>=1",\n  "rich",\n]\n', ["httpx", "rich"]],
    [
      "Cargo.toml",
      '[package]\nname = "x"\n[dependencies]\nserde = "1"\n[dev-dependencies]\nrand = "0"\n',
      ["serde", "rand"],
    ],
    ["go.mod", "module x\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n", ["github.com/a/b"]],
    ["Gemfile", "gem \"rails\"\ngem 'puma'\n", ["rails", "puma"]],
    ["composer.json", '{"require": {"a/b": "1"}}', ["a/b"]],
    ["package.json", "not json", []],
  ])("reads the dependencies of %s", (path, text, names) => {
    expect(of({ [path]: text }).dependencies).toMatchObject([{ path, names, count: names.length }]);
  });

  it("knows licences, tests, continuous integration and files that hold secrets", () => {
    const analysis = of({
      COPYING: "GNU GENERAL PUBLIC LICENSE\n   Version 3",
      "readme.rst": "",
      ".gitignore": "",
      "pkg/main_test.go": "",
      ".github/workflows/ci.yml": "",
      "deploy/.env": "",
    });
    expect(analysis).toMatchObject({
      licence: { path: "COPYING", name: "GPL-3.0" },
      readme: "readme.rst",
      tests: 1,
      ci: [".github/workflows/ci.yml"],
      suggestions: ["remove_secrets"],
    });
  });

  it("counts changes of files that are still there", () => {
    const analysis = of({ "a.py": "", "b.py": "" }, [["a.py", "gone.py"], ["a.py"], ["b.py"]]);
    expect(analysis.most_changed).toEqual([
      { path: "a.py", commits: 2 },
      { path: "b.py", commits: 1 },
    ]);
  });
});

describe("the folders on the way to a path", () => {
  it("each have their own path", () => {
    expect(buildTrail("src/io/read.py")).toEqual([
      { name: "src", path: "src" },
      { name: "io", path: "src/io" },
      { name: "read.py", path: "src/io/read.py" },
    ]);
    expect(buildTrail("")).toEqual([]);
  });

  it("take no more room than the path does, but for a few links", () => {
    const path = `${"a/".repeat(2_000)}end`;
    const trail = buildTrail(path);
    expect(trail).toHaveLength(33);
    expect(trail.map(({ name }) => name).join("/")).toBe(path);
  });
});

describe("a repository to be mirrored", () => {
  it.each([{ url }, { url, name: null, token: null }, { url, name: "o/n", token: "secret" }])(
    "may be asked for as %j",
    (input) => {
      expect(repoRequest.safeParse(input).success).toBe(true);
    },
  );

  it.each([{}, { url: "no address" }, { url, name: "o" }, { url, token: "a b" }, { url, more: 1 }])(
    "may not be asked for as %j",
    (input) => {
      expect(repoRequest.safeParse(input).success).toBe(false);
    },
  );

  it("has the name of its address where its own is left empty", () => {
    expect(repoRequest.parse({ url, name: "" })).toEqual({ url, name: null });
  });

  it("is described in the API's document field by field", () => {
    const { properties } = z.toJSONSchema(repoRequest, { io: "input" });

    expect(properties).toMatchObject({
      url: { format: "uri", maxLength: 2_000, description: expect.stringContaining("https") },
      name: { description: expect.stringContaining("owner/name") },
      token: { description: expect.stringContaining("500") },
    });
  });

  it("keeps its name when its address changes", () => {
    expect(repoAddress.safeParse({ url }).success).toBe(true);
    expect(repoAddress.safeParse({ url, name: "o/n" }).success).toBe(false);
  });
});

describe("a push", () => {
  it("names its repository among other things", () => {
    const event = { ref: "main", repository: { id: 1, clone_url: url } };

    expect(pushEvent.parse(event)).toEqual(event);
  });

  it.each([{}, { repository: {} }, { repository: { clone_url: "o/n" } }])("is not %j", (event) => {
    expect(pushEvent.safeParse(event).success).toBe(false);
  });
});
