import { describe, expect, it, vi } from "vitest";
import { findRunResult, listRunResults } from "#db/code-runs/run-results.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { ALLOWED_IMPORTS, CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import { itemAt, required } from "#domain/required.ts";
import { bearer } from "#tests/support/accounts/credentials.ts";
import { queryPostgres } from "#tests/support/databases/query-postgres.ts";
import { collect } from "#tests/support/files/library-zips.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";
import { startCodeWorker } from "#tests/support/workers/code-worker.ts";

const PREMIUM_ID = "901";
const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID, RATE_LIMIT_CODE_RUNS_PER_MINUTE: "1000" });
const { db, given } = web;
const { sandbox } = await startCodeWorker(web);
// The first child may have to make the snapshot; no program should wait for that.
(await sandbox.take()).kill();
const admin = await web.person(ADMIN_ID);
const premium = await web.person(PREMIUM_ID);
const regular = await web.person();
const foreign = await given.file(regular.id, "foreign.py");

async function run(body: object, visitor = admin) {
  const answer = await visitor.send("POST", "/api/code/run", { timeout: 20, ...body });
  return { status: answer.status, ...answer.body };
}

const rows = (table: string, where = "true") =>
  queryPostgres(web.databaseUrl, `select * from ${table} where ${where}`);

const untilRunning = () =>
  vi.waitFor(async () => expect(await rows("codeshelf.code_runs", "state = 'running'")).toHaveLength(1), {
    timeout: 20_000,
  });
const untilEnded = () =>
  vi.waitFor(
    async () => {
      const latest = itemAt(await listRuns(db, { job_id: "code_run", limit: 1 }), 0);
      expect(latest.status, "and is no failure").toMatch(/^(cancelled|completed)$/);
      expect(await rows("codeshelf.code_runs")).toEqual([]);
      expect(await rows("codeshelf.code_run_output")).toEqual([]);
    },
    { timeout: 20_000 },
  );
const stop = (run_id: unknown, visitor: Visitor) => visitor.send("POST", `/api/code/run/${run_id}/stop`);
const PRINTS_ON = "import time\nprint('first', flush=True)\ntime.sleep(25)\nprint('never')";

describe("a program that someone runs", () => {
  it("returns what it printed, how it ended and its limits", async () => {
    const body = { code: "print('שלום 😀', 6 * 7)", timeout: 999, memory_limit_mb: 1 };

    expect(await run(body, premium)).toEqual({
      status: 200,
      success: true,
      stdout: "שלום 😀 42\n",
      stderr: "",
      exit_code: 0,
      execution_time_ms: expect.any(Number),
      truncated: false,
      memory_used_mb: expect.any(Number),
      error: null,
      limits_applied: {
        timeout: CODE_LIMITS.max_timeout_seconds,
        memory_limit_mb: CODE_LIMITS.min_memory_mb,
      },
    });
  });

  const TYPED = "const half = (n: number): number => n / 2;\nconsole.log({ half: half(42) });";
  const TRACEBACK =
    /^Traceback \(most recent call last\):\n {2}File "main.py", line 4, in <module>\n(.|\n)*return 1 \/ 0(.|\n)*ZeroDivisionError: division by zero\n$/;
  expect(ALLOWED_IMPORTS).not.toContain("socket");

  /** The sandbox's own tests prove each limit; these prove how its end is reported. */
  const ENDS: [string, object, object][] = [
    [
      "raises an exception has the traceback as its error output",
      { code: "print('before')\ndef f():\n    return 1 / 0\nf()" },
      {
        success: false,
        stdout: "before\n",
        exit_code: 1,
        error: null,
        stderr: expect.stringMatching(TRACEBACK),
      },
    ],
    [
      "takes too much memory is told so",
      { code: "print('start')\nall = []\nwhile True: all.append('x' * 1_000_000)", memory_limit_mb: 32 },
      { success: false, stdout: "start\n", exit_code: 137, error: "Memory limit of 32 MB exceeded" },
    ],
    [
      "imports what is not allowed gets an ImportError with the module's name",
      { code: "print('never')\nimport socket" },
      { exit_code: 1, stdout: "", stderr: expect.stringMatching(/ImportError: .*'socket'/), error: null },
    ],
    ["prints a NUL is answered with it", { code: "print('\\0')" }, { exit_code: 0, stdout: "\0\n" }],
    ["is TypeScript loses its types", { code: TYPED, language: "typescript" }, { stdout: "{ half: 21 }\n" }],
    [
      "is JavaScript has no types",
      { code: TYPED, language: "javascript" },
      { exit_code: 1, stderr: expect.stringContaining("SyntaxError") },
    ],
  ];

  it("that runs out of time keeps what it has printed", async () => {
    const code = "print('so far', end='')\nwhile True: pass";
    let printed = "";
    // A busy machine may not run the first line in the shortest time.
    for (const timeout of [1.5, 6, 20]) {
      const ended = await run({ code, timeout });
      const error = `Timed out after ${timeout} s`;
      expect(ended).toMatchObject({ status: 200, success: false, exit_code: 124, error });
      printed = ended.stdout;
      if (printed) break;
    }
    expect(printed).toBe("so far");
  });

  it.each(drawCases("ends of programs", ENDS, 2))("that %s", async (_, body, expected) => {
    expect(await run(body)).toMatchObject({ status: 200, ...expected });
  });

  itDrawn("long output", 3)(
    "that prints more than fits goes on, and its output is cut between two characters",
    async () => {
      const result = await run({ code: "import sys\nprint('a' + 'ש' * 100_000)\nsys.exit(7)" });
      expect(result).toMatchObject({ exit_code: 7, truncated: true, stdout: expect.stringMatching(/^aש+$/) });
      expect(Buffer.byteLength(result.stdout)).toBe(CODE_LIMITS.max_output_bytes - 1);
    },
  );

  it("leaves neither its text nor its output in the queue, the records or the log", async () => {
    const { stdout } = await run({ code: "print('secret' + '-words')" });
    expect(stdout).toBe("secret-words\n");

    expect(await rows("codeshelf.code_runs")).toEqual([]);
    const stored = JSON.stringify([
      await rows("pgboss.job"),
      await listRuns(db, { job_id: "code_run", limit: 1000 }),
      await db.events.find().toArray(),
      web.log,
    ]);
    expect(stored).toContain("code_run");
    expect(stored).not.toContain("secret");
  });

  it("is stopped when the person who asked goes away", async () => {
    const leaving = new AbortController();
    const body = JSON.stringify({ code: PRINTS_ON, timeout: 30 });
    const request = admin.ask("/api/code/run", { method: "POST", body, signal: leaving.signal });
    await untilRunning();

    leaving.abort();

    await expect(request).rejects.toThrow();
    await untilEnded();
  });
});

type Events = AsyncGenerator<[string, Record<string, unknown>]>;

async function* readEvents(response: Response): Events {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of required(response.body) as unknown as AsyncIterable<Uint8Array>) {
    const messages = (text + decoder.decode(bytes, { stream: true })).split("\n\n");
    text = required(messages.pop());
    for (const event of messages) {
      const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      yield [name, JSON.parse(data)];
    }
  }
}

describe("a program whose output is streamed", () => {
  async function stream(visitor: Visitor, body: object) {
    const leaving = new AbortController();
    const response = await visitor.ask("/api/code/run", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ timeout: 20, ...body }),
      signal: leaving.signal,
    });
    return { response, events: readEvents(response), leave: () => leaving.abort() };
  }

  async function next(events: Events, wanted: string) {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error(`No ${wanted} came`);
      if (value[0] === wanted) return value[1];
    }
  }

  it("reports that it waits, that it starts, what it prints, and at the end what any run returns", async () => {
    const { response, events } = await stream(premium, {
      code: "import sys\nprint('a\\0ש')\nprint(input(), sys.argv[1:], file=sys.stderr)\nsys.exit(3)",
      stdin: "typed\n",
      args: ["one", "two words"],
    });
    const collected = await collect(events);

    expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    const names = collected.map(([name]) => name).filter((name, i, all) => name !== all[i - 1]);
    expect(names).toEqual(["queued", "started", "output", "result"]);
    const printed = (wanted: string) =>
      collected.flatMap(([, { stream, text }]) => (stream === wanted ? [text] : [])).join("");
    const output = { stdout: "a\0ש\n", stderr: "typed ['one', 'two words']\n" };
    expect({ stdout: printed("stdout"), stderr: printed("stderr") }).toEqual(output);
    expect(collected.at(-1)?.[1]).toMatchObject({
      ...output,
      success: false,
      exit_code: 3,
      limits_applied: { timeout: 20 },
    });
    expect(await rows("codeshelf.code_runs")).toEqual([]);
  });

  it("sends what is printed while the program goes on, and stops when its owner says so", async () => {
    const { events } = await stream(premium, { code: PRINTS_ON });
    const { run_id } = await next(events, "started");
    expect(await next(events, "output")).toEqual({ stream: "stdout", text: "first\n" });
    expect((await stop(run_id, admin)).status).toBe(404);
    expect(await rows("codeshelf.code_runs", "state = 'running'")).toHaveLength(1);

    expect(await stop(run_id, premium)).toMatchObject({ status: 200, body: { success: true } });

    const stopped = { success: false, stdout: "first\n", exit_code: 130, error: "Stopped" };
    expect(await next(events, "result")).toMatchObject(stopped);
    expect((await stop(run_id, premium)).status).toBe(404);
  });

  it("is stopped when its reader goes away", async () => {
    const { events, leave } = await stream(admin, { code: PRINTS_ON });
    await next(events, "output");

    leave();

    await untilEnded();
  });

  const onlyResult = async (fileId: string) => {
    await vi.waitFor(async () => expect(await listRunResults(db, ADMIN_ID, fileId)).toHaveLength(1), 30_000);
    const result = itemAt(await listRunResults(db, ADMIN_ID, fileId), 0);
    return { ...result, stdout: (await findRunResult(db, ADMIN_ID, fileId, result.id))?.stdout };
  };

  it("continues without its reader if its output is saved, and is listed with all of it", async () => {
    const code = "import time\nprint('first', flush=True)\ntime.sleep(0.3)\nprint('last')";
    const { id: file_id } = await given.file(ADMIN_ID, "left.py", code);
    const { events, leave } = await stream(admin, { file_id, keep: true });
    await next(events, "output");

    leave();

    expect(await onlyResult(file_id)).toMatchObject({
      ...{ success: true, error: null, exit_code: 0, stdout: "first\nlast\n" },
    });
    await untilEnded();
  });

  it("is shown on the page of its file while it goes on, and is listed once its owner stops it", async () => {
    const { id: file_id } = await given.file(ADMIN_ID, "endless.py", PRINTS_ON);
    const { events, leave } = await stream(admin, { file_id, keep: true });
    const { run_id } = await next(events, "started");
    await next(events, "output");
    leave();

    const { html } = await admin.show(`/file/${file_id}`);
    expect(html).toMatch(/<details class="runs"[^>]* open=""/);
    expect(html).toMatch(/aria-label="Current run".*?Running….*?<pre>first\n<\/pre>/s);
    expect((await premium.show(`/file/${file_id}`)).html).not.toContain("Current run");
    expect((await stop(run_id, admin)).status).toBe(200);

    const stopped = { success: false, error: "Stopped", exit_code: 130, stdout: "first\n" };
    expect(await onlyResult(file_id)).toMatchObject(stopped);
    await untilEnded();
    expect((await admin.show(`/file/${file_id}`)).html).not.toContain("Current run");
  });

  it("that prints without end sends only what fits, and is reported as cut", async () => {
    const { events } = await stream(premium, { code: "while True: print('x' * 999)", timeout: 3 });
    const collected = await collect(events);

    const sent = collected.reduce((sum, [, { text }]) => sum + String(text ?? "").length, 0);
    expect(sent).toBe(CODE_LIMITS.max_output_bytes);
    expect(collected.at(-1)).toMatchObject(["result", { exit_code: 124, truncated: true }]);
  });
});

describe("a request to run code", () => {
  it.each<[string, unknown, number, object]>([
    ["without code", {}, 400, { error: "Missing code", message: expect.stringMatching(/`code`.*`file_id`/) }],
    ["with a file of somebody else", { file_id: foreign.id }, 404, { error: "File not found" }],
  ])("%s is refused", async (_, body, status, answer) => {
    expect(await run(body as object)).toMatchObject({ status, success: false, ...answer });
  });

  it("may ask for the limits first", async () => {
    expect((await premium.send("GET", "/api/code/run/limits")).body).toEqual({
      enabled: true,
      limits: {
        min_timeout_seconds: 0.1,
        max_timeout_seconds: 30,
        default_timeout_seconds: 5,
        min_memory_mb: 16,
        max_memory_mb: 256,
        default_memory_mb: 128,
        max_code_length_bytes: 51_200,
        max_output_bytes: 102_400,
        max_stdin_bytes: 65_536,
        max_args: 20,
        max_arg_bytes: 4_096,
        max_queue_wait_seconds: 30,
      },
      allowed_imports: expect.arrayContaining(["math", "json", "sys"]),
    });
    expect((await premium.show("/tools/code")).html).toContain(ALLOWED_IMPORTS.join(" "));
  });
});

it("an agent runs a program with input and arguments, and gets the same answer as others", async () => {
  const { secret } = await given.token(PREMIUM_ID);
  const code = "console.log(prompt(), process.argv[2])";
  const program = { code, language: "javascript", stdin: "in", args: ["a"], timeout: 20 };
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "run_code", arguments: program },
  };
  const headers = { ...bearer(secret).headers, Accept: "application/json, text/event-stream" };
  const { body } = await web.visitor().send("POST", "/mcp", call, headers);

  const answer = { ok: true, success: true, stdout: "in a\n", exit_code: 0 };
  expect(JSON.parse(body.result.content[0].text)).toMatchObject(answer);
});

describe("a file that someone runs", () => {
  const put = async (path: string, text: string) =>
    (await premium.send("PUT", `/api/files/${path}`, text)).body.file_id as string;

  it("has the files of its folder beside it, reports what it wrote, and is saved if requested", async () => {
    await put("tool/lib/words.py", "WORD = 'kept'");
    await put("tool/in.txt", "given");
    await put("other/far.txt", "far");
    const file_id = await put(
      "tool/run.py",
      "from lib.words import WORD\nprint(WORD, open('in.txt').read())\nopen('out.txt', 'w').write('new')\nopen('far.txt')",
    );

    const result = await run({ file_id, keep: true }, premium);
    expect(result).toMatchObject({
      status: 200,
      stdout: "kept given\n",
      stderr: expect.stringMatching(/File "run.py", line 4(.|\n)*FileNotFoundError/),
      files_written: [{ path: "out.txt", size_bytes: 3, text: "new" }],
    });
    expect(await listRunResults(db, PREMIUM_ID, file_id)).toMatchObject([{ id: result.kept, version: 1 }]);
  });

  itInFullRun("and that is not in the library has the name it is given, also in its errors", async () => {
    const python = { code: "import sys\nprint(sys.argv, __file__)\n1 / 0", file_name: "x.py" };
    expect(await run(python)).toMatchObject({
      stdout: "['x.py'] x.py\n",
      stderr: expect.stringContaining('File "x.py", line 3'),
    });
    const long = { code: "print('ran')", file_name: "🙂".repeat(255) };
    expect(await run(long)).toMatchObject({ stdout: "ran\n" });
    const code = "console.log(process.argv[1]); oops()";
    expect(await run({ code, language: "javascript", file_name: "x.js" })).toMatchObject({
      stdout: "x.js\n",
      stderr: expect.stringContaining("x.js:1"),
    });
  });
});

describe("the page of a Python file", () => {
  const fields = { intent: "run", version: "1", timeout: "20" };
  const givenFile = async (name: string, ...texts: string[]) =>
    (await given.file(PREMIUM_ID, name, ...texts)).id;

  it("runs the version it shows and keeps the result at an address of its own, until it is told to forget it", async () => {
    const id = await givenFile("kept.py", "print('first ' + 'words')", "print('second')");

    const answer = await premium.submit(`/file/${id}?v=1`, { ...fields, keep: "1" });

    expect(answer.status).toBe(303);
    const address = required(answer.headers.get("Location"));
    expect(address).toMatch(new RegExp(`^/file/${id}\\?run=[0-9a-f]{24}&v=1#runs$`));
    expect((await premium.show(address)).html).toMatch(/<pre>first words\n<\/pre>/);
    const [result] = await listRunResults(db, PREMIUM_ID, id);
    expect(result).toMatchObject({ version: 1, exit_code: 0, success: true, truncated: false });
    expect((await regular.page(address)).status).toBe(404);

    const forgotten = await premium.submit(`/file/${id}`, { intent: "forget" });
    expect(forgotten.headers.get("Location")).toBe(`/file/${id}?run=last#runs`);
    expect(await listRunResults(db, PREMIUM_ID, id)).toEqual([]);
  });

  itDrawn("a run that goes on", 3)(
    "says that a program goes on while it does, also without JavaScript",
    async () => {
      const id = await givenFile("slow.py", PRINTS_ON);
      const answer = premium.submit(`/file/${id}`, { ...fields, keep: "1" });
      await untilRunning();

      expect((await premium.show(`/file/${id}`)).html).toContain("Current run");

      await stop(itemAt(await rows("codeshelf.code_runs"), 0).id, premium);
      expect((await answer).status).toBe(303);
      expect((await premium.show(`/file/${id}`)).html).not.toContain("Current run");
    },
  );

  it("keeps the typed input of a run that is refused or not saved", async () => {
    const id = await givenFile("typed.py", "print('ran')");
    for (const timeout of ["999", "20"]) {
      const typed = { ...fields, timeout, args: "--fast", stdin: "one\ntwo" };
      const html = await (await premium.submit(`/file/${id}`, typed)).text();
      expect(html).toContain(`value="${timeout}"`);
      expect(html).toContain('value="--fast"');
      expect(html).toMatch(/<textarea[^>]*name="stdin"[^>]*>one\ntwo<\/textarea>/);
    }
  });

  it("says that a program read missing input, and the tools open the field for it", async () => {
    const words = "<p>This program reads input.";
    const id = await givenFile("asks.py", "input()", "print('quiet')");
    const onFile = async (version: string) =>
      (await premium.submit(`/file/${id}?v=${version}`, { ...fields, version })).text();
    expect(await onFile("1")).toContain(words);
    expect(await onFile("2")).not.toContain(words);

    const form = { intent: "run", language: "python", timeout: "20", text: "input()" };
    const html = await (await premium.submit("/tools/code", form)).text();
    expect(html).toContain(words);
    expect(html).toContain('<details class="disclosure tools-input" open=""');
  });

  it("says to a regular user why it cannot be run, and refuses a form all the same", async () => {
    const { id } = await given.file(regular.id, "barred.py", "print(1)");

    const { html } = await regular.show(`/file/${id}`);
    expect(html).toContain("To run code, ask your administrator for a premium account.");
    expect((await regular.submit(`/file/${id}`, { ...fields, keep: "1" })).status).toBe(403);
    expect(await listRunResults(db, regular.id, id)).toEqual([]);
  });

  const TOO_LARGE = `# ${"x".repeat(CODE_LIMITS.max_code_length_bytes)}\n`;

  it("shows the reason instead of the button, for a file that is too large", async () => {
    const large = await givenFile("too-large.py", TOO_LARGE);

    const { html } = await premium.show(`/file/${large}`);
    const link = /<a class="button[^"]*" href="([^"#]*)#runs" title="([^"]*)"/.exec(html);
    expect(link?.slice(1)).toEqual([
      `/file/${large}?run=last`,
      "This file is too large to run. The limit is 50 KiB.",
    ]);
    expect((await premium.show(`/file/${large}?run=last`)).html).toMatch(
      /<details class="runs"[^>]* open=""/,
    );
  });

  it.each([
    ["that is no Python", "prose.md", "# One", "1", 400],
    ["that has no such version", "young.py", "print(1)", "2", 404],
    ["that is too large", "large.py", TOO_LARGE, "1", 413],
  ])("does not run a file %s", async (_, name, text, version, status) => {
    const id = await givenFile(name, text);
    expect((await premium.submit(`/file/${id}`, { ...fields, version })).status).toBe(status);
  });
});
