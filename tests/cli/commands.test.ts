import { execFile, execFileSync } from "node:child_process";
import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";
import { giveToken, NODES, newMachine, PROGRAM } from "./codeshelf.ts";

const { default_timeout_seconds: USUAL_SECONDS, max_timeout_seconds: MOST_SECONDS } = CODE_LIMITS;

const web = await openTestWeb();
await web.visitor().logIn(ADMIN_ID);
const token = await giveToken(web, ADMIN_ID);

const machine = await newMachine();
await machine.run(["login", web.url], { input: `${token}\n` });

describe.each(drawCases("versions of Node", NODES, 1))("on Node $version", ({ path: node, version }) => {
  it("a folder is saved, listed, read, found and copied back byte for byte", async () => {
    const folder = `ספרייה ${version}`;
    const texts = {
      "a b.py": `needle_${version.replace(/\W/g, "_")} = 1\n`,
      "in/שלום.md": "# שלום\r\nno end",
    };
    const files = Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]);
    await machine.write({
      ...Object.fromEntries(files),
      [`${folder}/photo.png`]: Buffer.from([137, 80, 0, 1]),
    });
    await machine.write({ [`${folder}/node_modules/x/index.js`]: "x", [`${folder}/.DS_Store`]: "x" });
    const run = async (...words: string[]) => {
      const ran = await machine.run(words, { node });
      // A command that takes more than ten seconds reports its progress.
      expect([ran.code, ran.stderr.replaceAll(/^(?:\d+\/\d+|Listing:) .*\n/gm, "")]).toEqual([0, ""]);
      return ran.stdout;
    };

    const pushed = await run("push", "--verbose", folder);
    expect(pushed).toContain(`+ ${folder}/a b.py  new`);
    expect(pushed).toContain(`- ${folder}/photo.png  skipped: binary`);
    expect(pushed).toContain(`- ${folder}/node_modules  skipped: left behind by a tool`);
    expect(pushed).toContain("2 new, 3 skipped (2 left behind by a tool; 1 binary; --verbose lists them)");
    expect(await run("push", `${folder}/a b.py`)).toBe(`= ${folder}/a b.py  unchanged\n`);
    expect(await run("ls", folder)).toBe("in/\na b.py\n");
    expect(await run("cat", `${folder}/in/שלום.md`)).toBe(texts["in/שלום.md"]);
    expect(await run("search", `needle_${version.replace(/\W/g, "_")}`)).toContain("a b.py:1  needle_");
    await run("pull", folder, `copy ${version}`);
    expect(await machine.tree(`copy ${version}`)).toEqual(texts);
  });
});

describe("the token", () => {
  it("is kept where only its owner can read it, and forgotten on logout", async () => {
    const other = await newMachine();
    const env = { CODESHELF_TOKEN: token };
    expect(await other.run(["login", web.url.replace("http://", "")], { env })).toMatchObject({
      code: 0,
      stdout: `Logged in to ${web.url} as Dana.\n`,
    });
    const file = other.at(".config/codeshelf/config.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(other.at(".config/codeshelf"))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, "utf8")).toContain(token);
    expect((await other.run(["ls"])).code).toBe(0);
    expect(await other.ok("logout")).toContain("/settings/tokens");
    expect(await other.run(["ls"])).toMatchObject({ code: 3, stdout: "" });
    expect((await other.run(["ls"])).stderr).toContain(`Run: node ${PROGRAM} login <address>`);
    expect((await other.run(["ls"], { env: { ...env, CODESHELF_ADDRESS: web.url } })).code).toBe(0);
  });

  it("is not stored if the server rejects it, and goes to no other server", async () => {
    const other = await newMachine();
    const wrong = await other.run(["login", web.url], { input: "not-the-token\n" });
    expect(wrong).toMatchObject({ code: 3, stdout: "" });
    expect(wrong.stderr).not.toContain("not-the-token");
    expect((await other.run(["ls"])).code).toBe(3);
    expect((await machine.run(["ls"], { env: { CODESHELF_ADDRESS: "http://127.0.0.1:1" } })).code).toBe(3);
  });
});

describe("saving", () => {
  it("keeps paths relative to the folder, or puts them under --to, and sorts names as people do", async () => {
    await machine.write({
      "work/src/deep/a.py": "1\n",
      "outside/file10.py": "2\n",
      "outside/File9.py": "2\n",
    });
    const inside = { cwd: machine.at("work") };
    await machine.run(["push", "src/deep/a.py", "../outside", "--to", "kept/here"], inside);
    expect(await machine.ok("ls", "kept", "-r")).toBe(
      "here/\nhere/outside/\nhere/src/\nhere/src/deep/\nhere/outside/File9.py\nhere/outside/file10.py\nhere/src/deep/a.py\n",
    );
  });

  it("reports each file's result as JSON, and names missing files", async () => {
    await machine.write({ "json/one.py": "1\n", "json/bad.txt": Buffer.from([0xff, 0xfe, 0x41]) });
    expect(await machine.json("push", "json")).toEqual({
      ok: true,
      files: expect.arrayContaining([
        { path: "json/one.py", status: "created", version: 1 },
        { path: "json/bad.txt", status: "skipped", reason: "not UTF-8 text" },
      ]),
    });
    await machine.write({ "json/one.py": "2\n" });
    expect((await machine.json("push", "json/one.py")).files).toEqual([
      { path: "json/one.py", status: "updated", version: 2 },
    ]);
    expect(await machine.run(["push", "nowhere.py", "--json"])).toMatchObject({
      code: 1,
      stdout: '{"ok":false,"code":"no_such_file","message":"There is no “nowhere.py” here."}\n',
    });
  });

  it("refuses an unsuitable file that is named, and skips it in a folder", async () => {
    const [large, binary] = ["x".repeat(2 * 1024 * 1024 + 1), Buffer.from([137, 80, 0, 1])];
    await machine.write({ "fit/huge.txt": large, "fit/b.bin": binary, "fit/a.py": "1\n" });
    expect(await machine.run(["push", "fit"])).toMatchObject({
      code: 0,
      stdout: "+ fit/a.py  new\n1 new, 2 skipped (1 binary; 1 larger than 2 MiB; --verbose lists them)\n",
    });
    expect(await machine.run(["push", "fit/huge.txt"])).toMatchObject({
      code: 1,
      stdout: "! fit/huge.txt  refused: larger than 2 MiB\n",
    });
    expect(await machine.json("push", "fit", "fit/b.bin")).toMatchObject({
      ok: false,
      files: expect.arrayContaining([
        { path: "fit/a.py", status: "unchanged", version: 1 },
        { path: "fit/b.bin", status: "refused", reason: "binary" },
        { path: "fit/huge.txt", status: "skipped", reason: "larger than 2 MiB" },
      ]),
    });
  });

  it("leaves files with possible secrets out of a folder, and saves them when they are named", async () => {
    const names = [".env", ".env.local", "in/server.pem", "in/id_ed25519", ".netrc"];
    const fine = [".env.example", "in/id_rsa.pub", "environment.py"];
    await machine.write(Object.fromEntries([...names, ...fine].map((name) => [`secrets/${name}`, "x\n"])));
    const pushed = await machine.json("push", "secrets", "secrets/.env.local");
    const statuses = Object.fromEntries(
      pushed.files.map(({ path, status }: { path: string; status: string }) => [path.slice(8), status]),
    );
    expect(pushed.files).toContainEqual({
      path: "secrets/.env",
      status: "skipped",
      reason: "may hold secrets; push it by its name to save it",
    });
    const skipped = names.filter((name) => name !== ".env.local");
    expect(statuses).toEqual({
      ...Object.fromEntries(skipped.map((name) => [name, "skipped"])),
      ...Object.fromEntries([...fine, ".env.local"].map((name) => [name, "created"])),
    });
    const { files } = await machine.json("sync", "secrets");
    expect(files.map(({ path }: { path: string }) => path).sort()).toEqual([...skipped].sort());
  });

  itDrawn("ignore files", 3)(
    "leaves out what ignore files name, nested and negated, above it too, unless all is asked for",
    async () => {
      const files = {
        ".gitignore":
          "*.log\n!keep.log\n/build/\ndocs/**/draft\n# a comment\n\\#odd\nspaced\\ \n[a-c]?.tmp\n",
        "src/.gitignore": "!deep.log\ngenerated\n",
        "src/.codeshelfignore": "*.private.py\n",
      };
      const out = [
        "a.log",
        "build/x.py",
        "docs/a/b/draft",
        "#odd",
        "b1.tmp",
        "src/in/generated/x.py",
        "src/my.private.py",
      ];
      const ignored = ["keep.log", "src/build/x.py", "docs/drafts", "d1.tmp", "src/deep.log", "generated.py"];
      const all = [...out, ...ignored].map((path) => [`project/${path}`, "x\n"]);
      await machine.write(
        Object.fromEntries([...all, ...Object.entries(files).map(([p, t]) => [`project/${p}`, t])]),
      );
      await machine.write({ "project/.git/HEAD": "x" });

      const pushed = await machine.json("push", "project");
      const inner = await machine.json("push", "project/src");
      const everything = await machine.json("push", "--all", "project");

      type Told = { files: { path: string; status: string }[] };
      const listNamed = ({ files: entries }: Told, wanted: string) =>
        entries.filter(({ status }) => status === wanted).map(({ path }) => path.slice("project/".length));
      expect(listNamed(pushed, "created").sort()).toEqual([...ignored, ...Object.keys(files)].sort());
      expect(listNamed(inner, "skipped").sort()).toEqual(["src/in/generated", "src/my.private.py"]);
      expect(listNamed(everything, "created").sort()).toEqual([...out].sort());
    },
  );

  itDrawn("two files of one name", 3)(
    "refuses what the library would take for another file of the same folder",
    async () => {
      await machine.write({
        "twice/Dir/a.py": "1\n",
        "twice/dir/a.py": "2\n",
        "twice/e\u0301.py": "3\n",
        "twice/\u00e9.py": "4\n",
      });

      const { ok, files } = await machine.json("push", "twice");

      expect(ok).toBe(false);
      const statuses = files.map(({ status }: { status: string }) => status).sort();
      expect(statuses).toEqual(["created", "created", "refused", "refused"]);
    },
  );

  itDrawn("names that are not UTF-8", 3)(
    "names a file whose name is not UTF-8 as left out, and fails",
    async () => {
      await machine.write({ "names/fine.py": "1\n" });
      await writeFile(
        Buffer.concat([Buffer.from(machine.at("names/bad-")), Buffer.of(0xff), Buffer.from(".py")]),
        "2\n",
      );

      const { code, stdout } = await machine.run(["push", "names"]);

      expect(code).toBe(1);
      expect(stdout).toContain("! names/bad-\ufffd.py  refused: its name is not UTF-8");
      expect(stdout).toContain("+ names/fine.py  new");
    },
  );

  it("takes of two names that differ in their encoding the one that the library writes", async () => {
    await machine.write({ "twins/café.py": "composed\n", "twins/cafe\u0301.py": "decomposed\n" });
    const { files } = await machine.json("push", "twins");
    expect(files.map(({ status }: { status: string }) => status).sort()).toEqual(["created", "refused"]);
    expect((await machine.run(["cat", "twins/café.py"])).stdout).toBe("composed\n");
  });

  it("refuses what is no file, without waiting for it", async () => {
    await machine.write({ "pipes/a.py": "" });
    execFileSync("mkfifo", [machine.at("pipes/pipe")]);
    const { code, stdout } = await machine.run(["push", "pipes/pipe"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("not a file") });
  });

  it("saves piped input under the given name", async () => {
    const piped = await machine.run(["push", "--name", "piped/שלום.py", "-"], { input: "print('hi')\n" });

    expect(piped).toMatchObject({ code: 0, stdout: "+ piped/שלום.py  new\n" });
    expect(await machine.ok("cat", "piped/שלום.py")).toBe("print('hi')\n");
    expect(await machine.run(["push", "-"], { input: "x" })).toMatchObject({ code: 2 });
    expect(await machine.run(["push", "--name", "a.bin", "-"], { input: "\0" })).toMatchObject({ code: 1 });
  });

  it("shows the server's refusal and continues with the other files", async () => {
    const deep = `deep/${"d/".repeat(17)}x.py`;
    await machine.write({ [deep]: "x\n", "deep/fine.py": "x\n" });
    const { code, stdout } = await machine.run(["push", "deep"]);
    expect(code).toBe(1);
    expect(stdout).toContain("refused: Folders can be");
    expect(stdout).toContain("+ deep/fine.py  new");
  });
});

describe("copying back", () => {
  it("replaces a different file only if told to, and then keeps it executable", async () => {
    await machine.write({ "tool.sh": "echo one\n" });
    await machine.ok("push", "tool.sh");
    await machine.write({ "tool.sh": "echo mine\n" });
    await chmod(machine.at("tool.sh"), 0o755);
    expect(await machine.run(["pull", "tool.sh"])).toMatchObject({
      code: 1,
      stdout: "! tool.sh  refused: a different file is here; --force replaces it\n",
    });
    expect(await machine.read("tool.sh")).toBe("echo mine\n");
    await machine.ok("pull", "tool.sh", "--force");
    expect(await machine.read("tool.sh")).toBe("echo one\n");
    expect((await stat(machine.at("tool.sh"))).mode & 0o777).toBe(0o755);
    await machine.ok("pull", "tool.sh", "renamed.sh");
    expect(await machine.read("renamed.sh")).toBe("echo one\n");
  });

  it("follows no symbolic link", async () => {
    await machine.write({ "linked/in/a.py": "x\n", "elsewhere/kept.txt": "kept\n", "target/b.py": "b\n" });
    await machine.ok("push", "linked");
    await symlink(machine.at("elsewhere"), machine.at("target/in"));
    const { code, stdout } = await machine.run(["pull", "linked", "target"]);
    expect(code).toBe(1);
    expect(stdout).toContain("refused: the path goes through a symbolic link");
    expect(await machine.tree("elsewhere")).toEqual({ "kept.txt": "kept\n" });
  });

  it.each(drawCases("what is not there", ["pull", "cat", "ls", "share"], 1))(
    "says that a file is not in the library: %s",
    async (command) => {
      const ran = await machine.run([command, "no/such"]);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no") });
    },
  );
});

it("a file of the library is shared, annotated and opened by its path", async () => {
  await machine.write({ "pages/one.md": "# One\ntwo\nthree\n" });
  await machine.ok("push", "pages");
  const link = await machine.ok("share", "pages/one.md", "--days", "2", "--lines", "2-3");
  expect(link).toMatch(new RegExp(`^${web.url}/share/[\\w-]{16}\\n$`));
  const secret = await machine.run(["share", "pages/one.md", "--password"], { input: "a long one\n" });
  const locked = await (await fetch(secret.stdout.trim())).text();
  expect(locked).toContain('type="password"');
  const shared = await machine.json("share", "pages", "--follow", "--days", "2");
  expect(await (await fetch(shared.url)).text()).toContain("one.md");

  const noted = await machine.json("note", "pages/one.md:2", "look", "here");
  expect(noted.note).toMatchObject({ content: "look here", line_start: 2 });
  expect(await machine.run(["note", "pages/one.md:4", "too", "far"])).toMatchObject({
    code: 1,
    stderr: "codeshelf: “pages/one.md” has 3 lines.\n",
  });

  const opened = machine.at("opened.txt");
  await machine.write({
    browser: `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
  });
  await chmod(machine.at("browser"), 0o755);
  const { stdout } = await machine.run(["open", "pages/one.md"], {
    env: { BROWSER: machine.at("browser") },
  });
  await expect.poll(() => readFile(opened, "utf8").catch(() => null)).toBe(stdout.trim());
  expect(stdout).toMatch(new RegExp(`^${web.url}/file/[0-9a-f]{24}\\n$`));
  expect(await machine.ok("open", "pages", "--print")).toMatch(/\/files\?folder=[0-9a-f]{24}\n$/);
});

describe("an option that does not fit", () => {
  const rows = [
    [["share", "fitting", "--lines", "1-2"], "--lines is for a file, and this is a folder."],
    [["share", "fitting/a.py", "--follow"], "--follow is for a folder, and this is a file."],
    [["share", "fitting/a.py", "--days", "0"], "--days takes 1 or more."],
    [["share", "fitting/a.py", "--days", "2", "--permanent"], "Give --days or --permanent, not both."],
    [["run", "fitting/a.py", "--timeout", "2000"], `--timeout takes ${MOST_SECONDS} at most.`],
  ] as const;

  it("is refused in plain words", async () => {
    await machine.write({ "fitting/a.py": "1\n" });
    await machine.ok("push", "fitting");
    for (const [words, sentence] of drawCases("options that do not fit", rows, 2))
      expect(await machine.run([...words])).toMatchObject({ code: 2, stderr: `codeshelf: ${sentence}\n` });
  });
});

describe("the program itself", () => {
  it("is what the server sends, unchanged, and knows its version", async () => {
    const sent = await fetch(`${web.url}/codeshelf.mjs`);
    expect(sent.headers.get("Content-Type")).toContain("javascript");
    const bytes = Buffer.from(await sent.arrayBuffer());
    expect(bytes.equals(await readFile(PROGRAM))).toBe(true);
    const { version, bin } = JSON.parse(await readFile("package.json", "utf8"));
    expect(await machine.ok("--version")).toBe(`${version}\n`);
    for (const path of [PROGRAM, bin.codeshelf]) expect((await stat(path)).mode & 0o111).toBe(0o111);
    expect((await promisify(execFile)(bin.codeshelf, ["--version"])).stdout).toBe(`${version}\n`);
    expect(bytes.toString().match(/from "(?!node:)/g)).toBeNull();
  });

  const ANSWERS = [
    [["--help"], 0, /^Usage: codeshelf <command>/],
    [["sync", "--help"], 0, /--dry-run +say what would be done/],
    [["help", "sync"], 0, /--dry-run +say what would be done/],
    [[], 2, /^Usage: codeshelf <command>/],
    [["run", "--help"], 0, new RegExp(`${USUAL_SECONDS} by default, ${MOST_SECONDS} at most`)],
    [["nonsense"], 2, /There is no command “nonsense”/],
    [["list"], 2, /There is no command “list”. Did you mean ls\?/],
    [["cat"], 2, /Usage: codeshelf cat <path>/],
    [["ls", "--nonsense"], 2, /Unknown option '--nonsense'/],
    [["login", "https://shelf.example.com/below"], 2, /address of the server alone/],
    [["cat", "a/../b"], 2, /no “\.\.”/],
    [["__proto__"], 2, /There is no command/],
  ] as const;
  it.each(drawCases("answers to words", ANSWERS, 4))(
    "answers %j with exit code %i",
    async (words, code, text) => {
      const ran = await machine.run([...words]);
      expect(ran.code).toBe(code);
      expect(ran.stdout + ran.stderr).toMatch(text);
    },
  );
});
