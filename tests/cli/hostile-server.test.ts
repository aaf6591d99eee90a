import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isRepositoryName } from "#domain/files/unsafe-name.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { serve } from "#tests/support/serve.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { NODES, newMachine, PROGRAM } from "./codeshelf.ts";

/** The running test sets the server's answer and reads what it was asked. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer = () => {};
const calls: string[] = [];
const url = await serve((request, response) => {
  calls.push(`${request.method} ${request.url}`);
  answer(request, response);
});
const machine = await newMachine({ CODESHELF_ADDRESS: url, CODESHELF_TOKEN: "a-token-of-tests" });

const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

async function readForm(request: IncomingMessage): Promise<FormData> {
  const headers = { "Content-Type": request.headers["content-type"] ?? "" };
  return new Response(await buffer(request), { headers }).formData();
}

/** A library that lists these paths and has no file content. */
const givenPaths =
  (paths: string[]): Answer =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? "", url);
    if (pathname === "/api/tree") {
      const files = paths.map((path, i) => ({
        ...{ id: `id${i}`, path, version: 1, size_bytes: 2, etag: `"id${i}.1"` },
        updated_at: "2026-11-16T17:46:00.000+00:00",
      }));
      return json(response, { ok: true, folder_id: "f", folders: [], files, next_cursor: null });
    }
    if (pathname.startsWith("/api/file/"))
      return response.writeHead(200, { "X-File-Id": "id", "X-File-Version": "1" }).end("x\n");
    return json(response, { error: "File not found", code: "file_not_found" }, 404);
  };

const HOSTILE = [
  "evil/../escaped.txt",
  "evil/../../escaped.txt",
  "evil//absolute.txt",
  "evil/C:/drive.txt",
  "evil/a\\..\\..\\b.txt",
  "evil/esc\u001b]0;owned\u0007.txt",
  "evil/c1\u009b31m.txt",
  "evil/turned\u202etxt.exe",
  "evil",
  "evil/.codeshelf-sync.json/..",
];

describe("names that a server sends", () => {
  it.each([["pull"], ["sync", "--verbose"]])(
    "never lead out of the folder or into the terminal: %s",
    async (command, ...options) => {
      answer = givenPaths([...HOSTILE, "evil/good/fine.txt"]);
      await machine.write({ [`${command}/kept.txt`]: "kept\n" });
      const cwd = machine.at(command);
      const { stdout, stderr } = await machine.run([command, "evil", ...options], { cwd });
      const everything = await machine.tree(command);
      expect(everything).toEqual({ "kept.txt": "kept\n", "evil/good/fine.txt": "x\n" });
      expect((await readdir(machine.home)).filter((name) => name.endsWith(".txt"))).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(stdout).toContain(String.raw`esc\x1b]0;owned\x07.txt`);
    },
  );

  const REPOSITORIES = [
    ".git",
    ".GIT",
    "git~1",
    ".git.",
    ".git ",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
    ".hg",
    ".svn",
  ];

  it.each(["pull", "sync"])(
    "never write into a repository, where the next command of git would run them: %s",
    async (command) => {
      answer = givenPaths([...REPOSITORIES.map((name) => `tools/sub/${name}/config`), "tools/sub/config"]);
      await machine.write({ [`${command}-repository/start.txt`]: "" });
      const cwd = machine.at(`${command}-repository`);

      await machine.run([command, "tools", "--force"], { cwd });

      expect(await machine.tree(`${command}-repository/tools`)).toEqual({ "sub/config": "x\n" });
      expect(REPOSITORIES.filter((name) => !isRepositoryName(name))).toEqual([]);
    },
  );

  const RUNNING = [
    ".envrc",
    ".bashrc",
    ".zprofile",
    ".vimrc",
    "hooks/post-checkout",
    ".husky/pre-commit",
    "a/.vscode/tasks.json",
    ".cargo/config.toml",
    ".config/git/config",
    ".xprofile",
    "a/HEAD",
  ];

  it.each(["pull", "sync"])(
    "are named and not written where tools run them by themselves, unless forced: %s",
    async (command) => {
      answer = givenPaths([...RUNNING, "a/head.txt", "myhooks.txt"].map((path) => `auto/${path}`));
      await machine.write({ [`${command}-running/start.txt`]: "" });
      const cwd = machine.at(`${command}-running`);

      const { code, stdout } = await machine.run([command, "auto"], { cwd });

      expect(code).toBe(1);
      for (const path of RUNNING)
        expect(stdout).toMatch(new RegExp(`${path.replaceAll(".", "\\.")} .*--force writes it`));
      expect(await machine.tree(`${command}-running/auto`)).toEqual({
        "a/head.txt": "x\n",
        "myhooks.txt": "x\n",
      });
      expect((await machine.run([command, "auto", "--force"], { cwd })).code).toBe(0);
      expect(Object.keys(await machine.tree(`${command}-running/auto`))).toHaveLength(RUNNING.length + 2);
    },
  );

  it("are shown, in lists and in refusals, without what steers a terminal", async () => {
    answer = givenPaths(["a\u001b[2Jb.txt", "c\u009bd.txt"]);
    expect((await machine.run(["ls"])).stdout).toBe("a\\x1b[2Jb.txt\nc\\x9bd.txt\n");
    expect((await machine.run(["ls", "--json"])).stdout).toContain(String.raw`c\u009bd.txt`);
    answer = (_, response) => json(response, { error: "no", message: "No\u001b[2J." }, 400);
    expect(await machine.run(["ls"])).toMatchObject({ code: 1, stderr: "codeshelf: No\\x1b[2J.\n" });
  });
});

describe("a server that is busy", () => {
  const afterRefusals = (status: number, refusals: number, good: Answer): Answer => {
    let still = refusals;
    return (request, response) => {
      still -= 1;
      if (still >= 0) json(response, { error: "busy", message: "Busy." }, status, { "Retry-After": "0" });
      else good(request, response);
    };
  };

  it.each(drawCases("busy", [429, 503], 1))("and answers %i is asked again", async (status) => {
    answer = afterRefusals(status, 3, givenPaths(["a.txt"]));
    expect((await machine.run(["ls"])).stdout).toBe("a.txt\n");
  });

  itInFullRun(
    "or accepts only a part of many files gets the rest after the requested wait, in few requests",
    async () => {
      const count = 450;
      const files = Array.from({ length: count }, (_, n) => [`many/${n}.txt`, `${n}\n`]);
      await machine.write(Object.fromEntries(files));
      let still = 1;
      answer = async (request, response) => {
        const form = await readForm(request);
        const results = form.getAll("files").map((file, index) => {
          const path = (file as File).name;
          if (index > 0 && index % 2 === 0 && still > 0)
            return { path, status: 429, code: "rate_limit_exceeded", retry_after: 1 };
          return { path, status: 201, file_id: "id", version: 1 };
        });
        if (results.some(({ status }) => status === 429)) still -= 1;
        json(response, { ok: true, results });
      };
      calls.length = 0;

      const { code, stdout, stderr } = await machine.run(["push", "many"]);

      expect([code, stdout.trim().split("\n").at(-1)]).toEqual([0, "450 new"]);
      expect(stderr).toMatch(
        /^\d+ files? must wait [12] s: the server takes only so many files a minute\.$/m,
      );
      expect(calls.length).toBeLessThan(12);
    },
  );

  it("for too long is abandoned with its message, and a permanent refusal at once", async () => {
    answer = (_, response) =>
      json(response, { error: "busy", message: "Come tomorrow." }, 429, { "Retry-After": "86400" });
    expect(await machine.run(["ls"])).toMatchObject({ code: 1, stderr: "codeshelf: Come tomorrow.\n" });
    calls.length = 0;
    const disabled = { error: "execution_disabled", code: "execution_disabled", message: "Turned off." };
    answer = (_, response) => json(response, disabled, 503);
    await machine.write({ "off.py": "1\n" });
    expect(await machine.run(["run", "off.py"])).toMatchObject({
      code: 1,
      stderr: "codeshelf: Turned off.\n",
    });
    expect(calls).toEqual(["POST /api/code/run"]);
  });
});

describe("a run that is streamed", () => {
  const result = { success: true, exit_code: 7, stdout: "", stderr: "", truncated: false, error: null };
  const tell = (response: ServerResponse, event: string, data: unknown) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const streaming =
    (act: (response: ServerResponse, body: string) => void): Answer =>
    async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      if (request.url === "/api/code/run") response.writeHead(200, { "Content-Type": "text/event-stream" });
      act(response, body);
    };

  it("prints each part as it arrives, and Ctrl-C stops it on the server", async () => {
    await machine.write({ "long.py": "1\n" });
    calls.length = 0;
    let stream: ServerResponse | undefined;
    answer = streaming((response) => {
      if (stream) {
        json(response, { success: true });
        tell(stream, "output", { stream: "stderr", text: "last\n" });
        tell(stream, "result", { ...result, exit_code: 130, error: "Stopped" });
        return void stream.end();
      }
      stream = response;
      tell(response, "queued", { run_id: "a/b", ahead: 2 });
      tell(response, "output", { stream: "stdout", text: "first\n" });
    });

    const child = machine.start(["run", "long.py"]);
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [first] = await once(child.stdout, "data");
    expect(String(first)).toBe("first\n");
    child.kill("SIGINT");

    expect(await once(child, "close")).toEqual([130, null]);
    expect(stderr).toBe("last\nStopped\n");
    expect(calls).toEqual(["POST /api/code/run", "POST /api/code/run/a%2Fb/stop"]);
  });

  it("gets input and arguments, and ends with the exit code of the program", async () => {
    await machine.write({ "given.py": "2\n", "given.ts": "3\n", "words.txt": "typed\n" });
    let order: unknown;
    answer = streaming((response, body) => {
      order = JSON.parse(body);
      tell(response, "result", result);
      response.end();
    });

    expect((await machine.run(["run", "given.py", "--input", "words.txt", "a", "--", "-b"])).code).toBe(7);
    expect(order).toMatchObject({ code: "2\n", stdin: "typed\n", args: ["a", "-b"] });
    await machine.run(["run", "given.py", "--input", "-"], { input: "piped\n" });
    expect(order).toMatchObject({ stdin: "piped\n", args: [] });
    expect(order).not.toHaveProperty("language");
    await machine.run(["run", "given.ts"]);
    expect(order).toMatchObject({ code: "3\n", language: "typescript" });
  });

  const CUT = [
    ["without a result", "", "The connection ended before the program did."],
    [
      "with a reason instead",
      'event: refused\ndata: {"code":"queue_unavailable","message":"Busy."}\n\n',
      "Busy.",
    ],
    ["with a result that is none", "event: result\ndata: {}\n\n", "Is it Codeshelf?"],
    ["without end", `event: output\ndata: ${"x".repeat(3 * 1024 * 1024)}`, "Is it Codeshelf?"],
  ] as const;
  it.each(drawCases("streams without a result", CUT, 2))(
    "%s is reported as failed",
    async (_, text, reason) => {
      await machine.write({ "cut.py": "3\n" });
      answer = streaming((response) => void response.end(text));
      expect(await machine.run(["run", "cut.py"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(reason),
      });
    },
  );
});

describe("an answer that is not Codeshelf's", () => {
  itInFullRun("is reported in a sentence, with an exit code of its own if nothing answers", async () => {
    answer = (_, response) => response.writeHead(200).end("<html>");
    expect(await machine.run(["search", "x"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Is it Codeshelf?"),
    });
    answer = (_, response) => response.writeHead(302, { Location: "https://elsewhere.example/" }).end();
    const { stderr } = await machine.run(["ls"]);
    expect(stderr).toContain("redirects to https://elsewhere.example/. Log in there.");
    answer = (_, response) => json(response, { error: "Authentication required" }, 401);
    expect((await machine.run(["ls"])).code).toBe(3);
    const nobody = await machine.run(["ls", "--json"], { env: { CODESHELF_ADDRESS: "http://127.0.0.1:1" } });
    expect([nobody.code, JSON.parse(nobody.stdout)]).toMatchObject([4, { ok: false, code: "network" }]);
  });

  it("and is cut off in the middle changes no file", async () => {
    await machine.write({ "cut.txt": "whole\n" });
    answer = (_, response) => {
      response.writeHead(200, { "Content-Length": "100", "X-File-Version": "1" }).write("half");
      setImmediate(() => response.destroy());
    };
    expect((await machine.run(["pull", "cut.txt", "--force"])).code).toBe(4);
    expect(await machine.read("cut.txt")).toBe("whole\n");
  });
});

it("a sync does not overwrite a file that changed meanwhile: the write names the version it read, and both texts are kept", async () => {
  const updated_at = "2026-11-16T17:46:00.000+00:00";
  const library = new Map([["raced/a.txt", { id: "id0", version: 1, text: "one\n" }]]);
  const expectations: unknown[] = [];
  answer = async (request, response) => {
    const { pathname } = new URL(request.url ?? "", url);
    if (pathname === "/api/tree") {
      const files = [...library].map(([path, { id, version }]) => {
        return { id, path, version, size_bytes: 4, updated_at, etag: `"${id}.${version}"` };
      });
      return json(response, { ok: true, folder_id: "f", folders: [], files, next_cursor: null });
    }
    if (request.method === "GET") {
      const { id = "", version, text } = [...library.values()].find(({ id }) => pathname.includes(id)) ?? {};
      return response.writeHead(200, { "X-File-Id": id, "X-File-Version": String(version) }).end(text);
    }
    const form = await readForm(request);
    const path = (form.get("files") as File).name;
    expectations.push(JSON.parse(String(form.get("if_match")))[path]);
    const isOvertaken = path === "raced/a.txt";
    library.set(
      path,
      isOvertaken ? { id: "id0", version: 2, text: "theirs\n" } : { id: "id1", version: 1, text: "mine\n" },
    );
    const result = isOvertaken
      ? { status: 412, error: "version_changed", code: "version_changed", version: 2 }
      : { status: 201, file_id: "id1", version: 1 };
    return json(response, { ok: true, results: [{ path, ...result }] });
  };
  await machine.ok("sync", "raced");
  expect(await machine.tree("raced")).toEqual({ "a.txt": "one\n" });

  await machine.write({ "raced/a.txt": "mine\n" });
  expect(await machine.run(["sync", "raced"])).toMatchObject({ code: 1 });

  expect(expectations).toEqual(['"id0.1"', null]);
  expect(Object.values(await machine.tree("raced")).sort()).toEqual(["mine\n", "theirs\n"]);
  expect(await machine.read("raced/a.txt")).toBe("theirs\n");
  expect([...library.keys()].at(-1)).toMatch(/^raced\/a \(conflict .*\)\.txt$/);
});

itInFullRun("a sync that loses its server names the files it has saved", async () => {
  const files = Array.from({ length: 450 }, (_, number) => `cut/${number}.py`);
  await machine.write(Object.fromEntries(files.map((path) => [path, `${path}\n`])));
  let batches = 0;
  answer = async (request, response) => {
    if (request.method === "GET")
      return json(response, { ok: true, folder_id: "f", folders: [], files: [], next_cursor: null });
    const paths = (await readForm(request)).getAll("files").map((file) => (file as File).name);
    batches += 1;
    if (batches > 1) return void response.destroy();
    const results = paths.map((path) => ({ path, status: 201, file_id: `id ${path}`, version: 1 }));
    return json(response, { ok: true, results });
  };

  const { code, stdout } = await machine.run(["sync", "cut"]);

  expect(code).toBe(4);
  expect(batches).toBeGreaterThan(1);
  const saved = stdout.split("\n").filter((line) => /^[^ ]+ .*uploaded/.test(line));
  expect(saved.length).toBeGreaterThan(0);
  expect(saved.length).toBeLessThan(files.length);
});

describe("a program that is run", () => {
  const ended = { success: false, exit_code: 7, truncated: false, error: null };

  it("is refused by name if nothing runs its language", async () => {
    await machine.write({ "a.rb": "puts 1\n", "a.py": "" });
    answer = (_, response) => json(response, { ...ended, stdout: "", stderr: "" });
    calls.length = 0;

    expect(await machine.run(["run", "a.rb"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a.rb cannot be run: the sandbox runs Python"),
    });
    expect(calls).toEqual([]);
    expect(await machine.run(["run", "a.py"])).toMatchObject({ code: 7 });
  });

  it("gives its output and its exit code", async () => {
    const sent: string[] = [];
    answer = (request, response) => {
      request.on("data", (chunk) => sent.push(String(chunk)));
      request.on("end", () => json(response, { ...ended, stdout: "שלום\n", stderr: "bad\n" }));
    };
    await machine.write({ "exit.py": "exit(7)\n" });
    const ran = await machine.run(["run", "exit.py", "--timeout", "3"]);
    expect(ran).toEqual({ code: 7, stdout: "שלום\n", stderr: "bad\n" });
    expect(JSON.parse(sent.join(""))).toEqual({
      ...{ code: "exit(7)\n", file_name: "exit.py" },
      ...{ args: [], stdin: "", timeout: 3 },
    });
  });
});

const run = promisify(execFile);

/** Runs the command on a terminal; `typed` answers its first question. */
async function onTerminal(words: string[], typed = "", env: Record<string, string> = {}) {
  const script = join(PROJECT_ROOT, "tests/cli/terminal.py");
  const [first] = NODES;
  const { stdout } = await run("python3", [script, typed, first?.path ?? "node", PROGRAM, ...words], {
    cwd: machine.home,
    env: machine.env({ TERM: "xterm", ...env }),
  });
  return JSON.parse(stdout) as { shown: string; code: number };
}

describe("on a terminal", () => {
  it("the command asks for the token and does not show it", async () => {
    answer = (_, response) => json(response, { authenticated: true, user: { first_name: "Da\u001bna" } });
    const { shown, code } = await onTerminal(["login", url], "typed-secret\r", { CODESHELF_TOKEN: "" });
    expect(code).toBe(0);
    expect(shown).toContain("Token: ");
    expect(shown).toContain(String.raw`as Da\x1bna.`);
    expect(shown).not.toContain("typed-secret");
    expect(await machine.read(".config/codeshelf/config.json")).toContain("typed-secret");
    expect((await onTerminal(["login", url], "half\u0003", { CODESHELF_TOKEN: "" })).code).toBe(130);
  });

  itDrawn("colours", 3)(
    "there are colours and progress, no colours with NO_COLOR, and neither in a pipe, which names all files in order",
    async () => {
      answer = givenPaths(["lot/b.txt", "lot/a.txt"]);
      const { shown } = await onTerminal(["pull", "lot", "one"]);
      expect(shown).toContain("\u001b[32m<\u001b[0m one/a.txt");
      expect(shown).toContain("\r\u001b[K1/2 lot/");
      const plain = await onTerminal(["pull", "lot", "two"], "", { NO_COLOR: "1" });
      expect(plain.shown).toContain("< two/a.txt");
      expect(plain.shown).not.toContain("\u001b[32m");
      const piped = await machine.run(["pull", "lot", "three"]);
      expect(piped.stdout).toBe("< three/a.txt  downloaded\n< three/b.txt  downloaded\n2 downloaded\n");
      expect(piped.stderr).toBe("");
    },
  );

  itDrawn("no input", 3)("a program that found no input says how it is given some", async () => {
    const stderr = "EOFError: EOF when reading a line\n";
    answer = (_, response) =>
      json(response, { exit_code: 1, stdout: "", stderr, truncated: false, error: null });
    await machine.write({ "asks.py": "input()\n" });
    expect((await onTerminal(["run", "asks.py"])).shown).toContain("Add --input - to type it");
    expect(await machine.run(["run", "asks.py"])).toEqual({ code: 1, stdout: "", stderr });
  });

  it("a file is printed without control characters, and unchanged into a pipe", async () => {
    const text = "a\u001b[2J\u001b[31mred\u001b[0m\n";
    answer = (_, response) => response.writeHead(200, { "X-File-Version": "1" }).end(text);
    expect((await onTerminal(["cat", "a.txt"])).shown).toBe("a\\x1b[2J\u001b[31mred\u001b[0m\r\n");
    expect((await machine.run(["cat", "a.txt"])).stdout).toBe(text);
  });
});

describe("completion", () => {
  it("of bash is a valid script that completes commands, options and paths of the library", async () => {
    answer = givenPaths(["docs/read me.md", "docs/other.md"]);
    const script = await machine.ok("completion", "bash");
    await machine.write({
      "completion.bash": script,
      codeshelf: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
    });
    await run("bash", ["-n", machine.at("completion.bash")]);
    const complete = async (...words: string[]) => {
      const setup = `source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _codeshelf; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const bashArguments = ["-c", `chmod +x codeshelf; ${setup}`, "bash", "./codeshelf", ...words];
      return (await run("bash", bashArguments, { cwd: machine.home, env: machine.env() })).stdout
        .trim()
        .split("\n");
    };
    expect(await complete("s")).toEqual(["search", "share", "sync"]);
    expect(await complete("sync", "--dr")).toEqual(["--dry-run"]);
    expect(await complete("cat", "docs/r")).toEqual(["docs/read me.md"]);
  });

  itDrawn("completion of zsh", 3)("of zsh names every command", async () => {
    const script = await machine.ok("completion", "zsh");
    expect(script).toMatch(/^#compdef codeshelf\n/);
    const commands =
      (await machine.ok("--help")).match(/^ {2}[a-z]+(?= )/gm)?.map((name) => name.trim()) ?? [];
    expect(commands.length).toBeGreaterThan(12);
    for (const name of commands) expect(script).toContain(`'${name}:`);
  });
});
