import { ObjectId } from "mongodb";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { createToken } from "#db/accounts/tokens.server.ts";
import { findRunResult, listRunResults } from "#db/code-runs/run-results.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { ALLOWED_IMPORTS, CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";
import { startCodeWorker } from "#tests/support/workers/code-worker.ts";

const PREMIUM_ID = "901";
const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID, RATE_LIMIT_CODE_RUNS_PER_MINUTE: "60" });
const { sandbox } = await startCodeWorker(web);
// The first one may have to make the snapshot; no program should wait for that.
(await sandbox.take()).kill();
const admin = await web.visitor().logIn(ADMIN_ID);
const premium = await web.visitor().logIn(PREMIUM_ID);
const regular = await web.visitor().logIn("902");

function post(visitor: Visitor, body: unknown, init: RequestInit = {}) {
  const headers = { "Content-Type": "application/json" };
  return visitor.ask("/api/code/run", { method: "POST", headers, body: JSON.stringify(body), ...init });
}

async function run(code: string, more: object = {}) {
  const response = await post(admin, { code, timeout: 20, ...more });
  return { status: response.status, ...(await response.json()) };
}

async function rows(table: string, where = "true") {
  const client = new pg.Client(web.databaseUrl);
  await client.connect();
  const { rows: found } = await client.query(`select * from ${table} where ${where}`);
  await client.end();
  return found;
}

describe("a program that someone runs", () => {
  it("answers with what it printed, how it ended and the limits it had", async () => {
    const response = await post(premium, {
      code: "print('שלום 😀', 6 * 7)",
      timeout: 20,
      memory_limit_mb: 64,
    });

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      stdout: "שלום 😀 42\n",
      stderr: "",
      exit_code: 0,
      execution_time_ms: expect.any(Number),
      truncated: false,
      memory_used_mb: expect.any(Number),
      error: null,
      limits_applied: { timeout: 20, memory_limit_mb: 64 },
    });
  });

  it("that raises an exception was carried out: the traceback is its error output", async () => {
    expect(await run("print('before')\ndef f():\n    return 1 / 0\nf()")).toMatchObject({
      status: 200,
      success: false,
      stdout: "before\n",
      exit_code: 1,
      error: null,
      stderr: expect.stringMatching(
        /^Traceback \(most recent call last\):\n {2}File "main.py", line 4, in <module>\n(.|\n)*return 1 \/ 0(.|\n)*ZeroDivisionError: division by zero\n$/,
      ),
    });
  });

  it("is JavaScript or TypeScript where its order says so", async () => {
    const code = "const half = (n: number): number => n / 2;\nconsole.log({ half: half(42) });";
    expect(await run(code, { language: "typescript" })).toMatchObject({
      stdout: "{ half: 21 }\n",
      exit_code: 0,
    });
    expect(await run(code, { language: "javascript" })).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining("SyntaxError"),
    });
    expect(await run(code, { language: "ruby" })).toMatchObject({ status: 400, field: "language" });
  });

  it.each([
    ["a NUL in its output", "print('\\0')", { exit_code: 0, stdout: "\0\n" }],
    ["a NUL in its text", "print(1)\0", { exit_code: 1 }],
    ["half a surrogate pair in its text", "print('\ud800')", { exit_code: 1 }],
    ["bytes that are no text", "import os\nos.write(1, b'\\xff\\x00')", { exit_code: 1 }],
  ])("with %s runs like any other", async (_, code, expected) => {
    expect(await run(code)).toMatchObject({ status: 200, ...expected });
  });

  it("leaves with its own exit code", async () => {
    expect(await run("import sys\nsys.exit(3)")).toMatchObject({ status: 200, success: false, exit_code: 3 });
  });

  it("that runs out of time keeps what it has printed", async () => {
    expect(await run("print('so far', end='')\nwhile True: pass", { timeout: 1.5 })).toMatchObject({
      status: 200,
      success: false,
      stdout: "so far",
      exit_code: 124,
      error: "Timed out after 1.5 s",
    });
  });

  it("that takes too much memory is told so", async () => {
    const code = "print('start')\nkept = []\nwhile True: kept.append('x' * 1_000_000)";
    expect(await run(code, { memory_limit_mb: 32 })).toMatchObject({
      status: 200,
      success: false,
      stdout: "start\n",
      exit_code: 137,
      error: "Memory limit of 32 MB exceeded",
    });
  });

  it("prints more than fits: the output is cut between two characters and the run goes on", async () => {
    const result = await run("import sys\nprint('a' + 'ש' * 100_000)\nsys.exit(7)");

    expect(result).toMatchObject({ status: 200, exit_code: 7, truncated: true });
    expect(Buffer.byteLength(result.stdout)).toBe(CODE_LIMITS.max_output_bytes - 1);
    expect(result.stdout).toMatch(/^aש+$/);
  });

  it("imports what is not allowed: an ImportError names the module", async () => {
    expect(ALLOWED_IMPORTS).not.toContain("socket");
    expect(await run("print('never')\nimport socket")).toMatchObject({
      status: 200,
      exit_code: 1,
      stdout: "",
      stderr: expect.stringMatching(/ImportError: .*'socket'/),
      error: null,
    });
  });

  it("gets limits within the bounds, and is told which", async () => {
    expect(await run("print(1)", { timeout: 999, memory_limit_mb: 1 })).toMatchObject({
      exit_code: 0,
      limits_applied: {
        timeout: CODE_LIMITS.max_timeout_seconds,
        memory_limit_mb: CODE_LIMITS.min_memory_mb,
      },
    });
  });

  it("leaves neither its text nor its output behind, in the queue, the records or the log", async () => {
    const result = await run("print('secret' + '-words')");
    expect(result.stdout).toBe("secret-words\n");

    expect(await rows("codeshelf.code_runs")).toEqual([]);
    const kept = JSON.stringify([
      await rows("pgboss.job"),
      await listRuns(web.db, { job_id: "code_run", limit: 1000 }),
      await web.db.events.find().toArray(),
      web.log,
    ]);
    expect(kept).toContain("code_run");
    expect(kept).not.toContain("secret");
  });

  it("is stopped when whoever asked goes away", async () => {
    const leaving = new AbortController();
    const asked = post(
      admin,
      { code: "import time\ntime.sleep(25)", timeout: 30 },
      { signal: leaving.signal },
    );
    await vi.waitFor(
      async () => expect(await rows("codeshelf.code_runs", "state = 'running'")).toHaveLength(1),
      {
        timeout: 20_000,
      },
    );

    leaving.abort();

    await expect(asked).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const latest = itemAt(await listRuns(web.db, { job_id: "code_run", limit: 1 }), 0);
        expect(latest.status, "and is no failure").toMatch(/^(cancelled|completed)$/);
        expect(await rows("codeshelf.code_runs")).toEqual([]);
      },
      { timeout: 10_000 },
    );
  });
});

describe("a program whose output is streamed", () => {
  const PRINTS_ON = "import time\nprint('first', flush=True)\ntime.sleep(25)\nprint('never')";

  async function stream(visitor: Visitor, body: object, init: RequestInit = {}) {
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
    const response = await post(visitor, { timeout: 20, ...body }, { headers, ...init });
    return { response, events: readEvents(response) };
  }

  async function* readEvents(response: Response): AsyncGenerator<[string, Record<string, unknown>]> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of required(response.body) as unknown as AsyncIterable<Uint8Array>) {
      const part = decoder.decode(bytes, { stream: true });
      const whole = (text + part).split("\n\n");
      text = required(whole.pop());
      for (const event of whole) {
        const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        yield [name, JSON.parse(data)];
      }
    }
  }

  async function readAll(events: ReturnType<typeof readEvents>) {
    const all: [string, Record<string, unknown>][] = [];
    for await (const event of events) all.push(event);
    return all;
  }

  async function next(events: ReturnType<typeof readEvents>, wanted: string) {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error(`No ${wanted} came`);
      if (value[0] === wanted) return value[1];
    }
  }

  it("tells that it waits, that it starts, what it prints, and at the end what any run answers", async () => {
    const { response, events } = await stream(premium, {
      code: "import sys\nprint('a\\0ש')\nprint(input(), sys.argv[1:], file=sys.stderr)\nsys.exit(3)",
      stdin: "typed\n",
      args: ["one", "two words"],
    });
    const told = await readAll(events);

    expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    expect(told.map(([name]) => name).filter((name, i, all) => name !== all[i - 1])).toEqual([
      "queued",
      "started",
      "output",
      "result",
    ]);
    const printed = (wanted: string) =>
      told.flatMap(([, { stream, text }]) => (stream === wanted ? [text] : [])).join("");
    expect(printed("stdout")).toBe("a\0ש\n");
    expect(printed("stderr")).toBe("typed ['one', 'two words']\n");
    expect(told.at(-1)?.[1]).toMatchObject({
      success: false,
      exit_code: 3,
      stdout: "a\0ש\n",
      stderr: "typed ['one', 'two words']\n",
      limits_applied: { timeout: 20 },
    });
    expect(await rows("codeshelf.code_runs")).toEqual([]);
  });

  it("sends what is printed while the program goes on, and stops when its owner says so, with what came until then", async () => {
    const { events } = await stream(premium, { code: PRINTS_ON });
    const { run_id } = await next(events, "started");
    expect(await next(events, "output")).toEqual({ stream: "stdout", text: "first\n" });
    const stop = (visitor: Visitor) => visitor.ask(`/api/code/run/${run_id}/stop`, { method: "POST" });
    expect((await stop(admin)).status).toBe(404);
    expect(await rows("codeshelf.code_runs", "state = 'running'")).toHaveLength(1);

    const stopped = await stop(premium);

    expect([stopped.status, await stopped.json()]).toEqual([200, { success: true }]);
    expect(await next(events, "result")).toMatchObject({
      success: false,
      stdout: "first\n",
      exit_code: 130,
      error: "Stopped",
    });
    expect((await stop(premium)).status).toBe(404);
  });

  it("is ended when its reader goes away", async () => {
    const leaving = new AbortController();
    const { events } = await stream(admin, { code: PRINTS_ON }, { signal: leaving.signal });
    await next(events, "output");

    leaving.abort();

    await vi.waitFor(async () => {
      expect(await rows("codeshelf.code_runs")).toEqual([]);
      expect(await rows("codeshelf.code_run_output")).toEqual([]);
      const latest = itemAt(await listRuns(web.db, { job_id: "code_run", limit: 1 }), 0);
      expect(latest.status, "and is no failure").toMatch(/^(cancelled|completed)$/);
    });
  });

  it("goes on when its reader goes away and its output is to be kept, and is listed with all of it", async () => {
    const code = "import time\nprint('first', flush=True)\ntime.sleep(2)\nprint('last')";
    const put = await admin.ask("/api/files/left.py", { method: "PUT", body: code });
    const { file_id } = await put.json();
    const leaving = new AbortController();
    const { events } = await stream(admin, { file_id, keep: true }, { signal: leaving.signal });
    await next(events, "output");

    leaving.abort();

    const readPage = async () => (await admin.page(`/file/${file_id}`)).text();
    const page = await readPage();
    expect(page).toMatch(/<details class="runs"[^>]* open=""/);
    expect(page).toMatch(/aria-label="Current run".*?Running….*?<pre>first\n<\/pre>/s);
    expect(await (await premium.page(`/file/${file_id}`)).text()).not.toContain("Current run");
    await vi.waitFor(async () => expect(await listRunResults(web.db, ADMIN_ID, file_id)).toHaveLength(1), {
      timeout: 30_000,
    });
    await vi.waitFor(async () => expect(await readPage()).not.toContain("Current run"));
    const kept = itemAt(await listRunResults(web.db, ADMIN_ID, file_id), 0);
    expect(kept).toMatchObject({ success: true, error: null, exit_code: 0 });
    expect(await findRunResult(web.db, ADMIN_ID, file_id, kept.id)).toMatchObject({
      stdout: "first\nlast\n",
    });
    expect(await rows("codeshelf.code_runs")).toEqual([]);
  });

  it("that is to be kept and was left is stopped by its owner, and listed with what it had printed", async () => {
    const put = await admin.ask("/api/files/endless.py", { method: "PUT", body: PRINTS_ON });
    const { file_id } = await put.json();
    const leaving = new AbortController();
    const { events } = await stream(admin, { file_id, keep: true }, { signal: leaving.signal });
    const { run_id } = await next(events, "started");
    await next(events, "output");
    leaving.abort();

    expect((await admin.ask(`/api/code/run/${run_id}/stop`, { method: "POST" })).status).toBe(200);

    await vi.waitFor(async () => expect(await listRunResults(web.db, ADMIN_ID, file_id)).toHaveLength(1));
    const kept = itemAt(await listRunResults(web.db, ADMIN_ID, file_id), 0);
    expect(kept).toMatchObject({ success: false, error: "Stopped", exit_code: 130 });
    expect(await findRunResult(web.db, ADMIN_ID, file_id, kept.id)).toMatchObject({ stdout: "first\n" });
  });

  it("that prints without end sends no more than fits, and is told as cut", async () => {
    const { events } = await stream(premium, { code: "while True: print('x' * 999)", timeout: 1 });
    const told = await readAll(events);

    const sent = told.reduce((sum, [, { text }]) => sum + String(text ?? "").length, 0);
    expect(sent).toBe(CODE_LIMITS.max_output_bytes);
    expect(told.at(-1)).toMatchObject(["result", { exit_code: 124 }]);
  });

  it("is refused like any other before it is queued", async () => {
    const { response } = await stream(regular, { code: "print(1)" });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      403,
      "application/json; charset=utf-8",
    ]);
  });
});

describe("a request to run code", () => {
  const wrong: [name: string, body: unknown, status: number, answer: object][] = [
    ["without code", {}, 400, { error: "Missing code", message: expect.stringMatching(/`code`.*`file_id`/) }],
    ["with code that is no text", { code: 5 }, 400, { error: "Missing code" }],
    ["with blank code", { code: " \n\t" }, 400, { error: "Missing code" }],
    ["that is a list", ["print(1)"], 400, { error: "Missing code" }],
    [
      "with code that is too long",
      { code: "ש".repeat(25_601) },
      413,
      { error: "payload_too_large", max: 51_200 },
    ],
    ["with a timeout in words", { code: "1", timeout: "5" }, 400, { field: "timeout" }],
    ["with a timeout of true", { code: "1", timeout: true }, 400, { field: "timeout" }],
    ["with no memory number", { code: "1", memory_limit_mb: null }, 400, { field: "memory_limit_mb" }],
  ];

  it.each(wrong)("%s is refused", async (_, body, status, answer) => {
    const response = await post(admin, body);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, ...answer });
  });

  it("that is no JSON is refused", async () => {
    const response = await post(admin, null, { body: "{" });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { success: false, error: "invalid_payload" },
    ]);
  });

  it("is for premium users and administrators alone, and so are the limits", async () => {
    for (const path of ["/api/code/run", "/api/code/run/limits"]) {
      const init = path.endsWith("run") ? { method: "POST", body: '{"code":"1"}' } : {};
      const forbidden = await regular.ask(path, init);
      expect([forbidden.status, await forbidden.json()]).toMatchObject([
        403,
        { error: "Premium or admin role required", code: "premium_required" },
      ]);
      expect((await web.visitor().ask(path, init)).status).toBe(401);
    }
  });

  it("can learn the limits first", async () => {
    expect(await (await premium.ask("/api/code/run/limits")).json()).toEqual({
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
    const tools = await (await premium.page("/tools/code")).text();
    expect(tools).toContain(ALLOWED_IMPORTS.join(" "));
  });
});

it("an agent runs a program with input and arguments, and gets what any run answers", async () => {
  const token = { name: "agent", scope: "write", lifetimeDays: null } as const;
  const made = await createToken(web.db, newOwner(PREMIUM_ID), token, web.clock());
  const given = {
    code: "console.log(prompt(), process.argv[2])",
    language: "javascript",
    stdin: "in",
    args: ["a"],
  };
  const answer = await fetch(`${web.url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${isRefusal(made) ? "" : made.secret}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "run_code", arguments: { timeout: 20, ...given } },
    }),
  });

  expect((await answer.json()).result.structuredContent).toMatchObject({
    ok: true,
    success: true,
    stdout: "in a\n",
    exit_code: 0,
  });
});

describe("a file that someone runs", () => {
  const put = async (path: string, body: string) =>
    (await (await premium.ask(`/api/files/${path}`, { method: "PUT", body })).json()).file_id;
  const runFile = async (visitor: Visitor, body: object) => {
    const response = await post(visitor, { timeout: 20, ...body });
    return { status: response.status, ...(await response.json()) };
  };

  it("has the files of its folder beside it, and tells what it wrote", async () => {
    await put("tool/lib/words.py", "WORD = 'kept'");
    await put("tool/in.txt", "given");
    await put("other/far.txt", "far");
    const file_id = await put(
      "tool/run.py",
      "from lib.words import WORD\nprint(WORD, open('in.txt').read())\nopen('out.txt', 'w').write('new')\nopen('far.txt')",
    );

    expect(await runFile(premium, { file_id })).toMatchObject({
      status: 200,
      stdout: "kept given\n",
      stderr: expect.stringMatching(/File "run.py", line 4(.|\n)*FileNotFoundError/),
      files_written: [{ path: "out.txt", size_bytes: 3, text: "new" }],
    });
    expect(await runFile(premium, { file_id, code: "import sys\nprint(sys.argv[0])" })).toMatchObject({
      stdout: "run.py\n",
    });
    expect(await runFile(admin, { file_id })).toMatchObject({ status: 404, error: "File not found" });
  });

  it("that is no file of the library has the name it is given, also where it fails", async () => {
    const given = { code: "import sys\nprint(sys.argv, __file__)\n1 / 0", file_name: "x.py" };
    expect(await runFile(premium, given)).toMatchObject({
      stdout: "['x.py'] x.py\n",
      stderr: expect.stringContaining('File "x.py", line 3'),
    });
    const long = { code: "print('ran')", file_name: "🙂".repeat(255) };
    expect(await runFile(premium, long)).toMatchObject({ stdout: "ran\n" });
    const script = {
      code: "console.log(process.argv[1]); oops()",
      language: "javascript",
      file_name: "x.js",
    };
    expect(await runFile(premium, script)).toMatchObject({
      stdout: "x.js\n",
      stderr: expect.stringContaining("x.js:1"),
    });
  });

  it("has its output saved beside it where that is asked for", async () => {
    const file_id = await put("saved.py", "print('words')");

    const { kept } = await runFile(premium, { file_id, keep: true });

    expect(await listRunResults(web.db, PREMIUM_ID, file_id)).toMatchObject([{ id: kept, version: 1 }]);
  });
});

describe("the page of a Python file", () => {
  async function givenFile(visitor: Visitor, name: string, ...texts: string[]): Promise<string> {
    let id = "";
    for (const body of texts)
      id = (await (await visitor.ask(`/api/files/${name}`, { method: "PUT", body })).json()).file_id;
    return id;
  }
  const fields = { intent: "run", version: "1", timeout: "20" };

  it("runs the version it shows and keeps the result at an address of its own", async () => {
    const id = await givenFile(premium, "kept.py", "print('first ' + 'words')", "print('second')");

    const answer = await premium.submit(`/file/${id}?v=1`, { ...fields, keep: "1" });

    expect(answer.status).toBe(303);
    const address = required(answer.headers.get("Location"));
    expect(address).toMatch(new RegExp(`^/file/${id}\\?run=[0-9a-f]{24}&v=1#runs$`));
    expect(await (await premium.page(address)).text()).toMatch(/<pre>first words\n<\/pre>/);
    const [kept] = await listRunResults(web.db, PREMIUM_ID, id);
    expect(kept).toMatchObject({ version: 1, exit_code: 0, success: true, truncated: false });
    expect((await regular.page(address)).status).toBe(404);
  });

  it("shows a result that is not kept once, and none of it stays", async () => {
    const id = await givenFile(premium, "unkept.py", "print('passing ' + 'words')");

    const answer = await premium.submit(`/file/${id}`, fields);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/<pre>passing words\n<\/pre>/);
    expect(await web.db.run_results.countDocuments({ file_id: new ObjectId(id) })).toBe(0);
  });

  it("is said to go on by a page that is opened while it does, also without JavaScript", async () => {
    const code = "import time\ntime.sleep(2)\n";
    const put = await premium.ask("/api/files/slow.py", { method: "PUT", body: code });
    const { file_id } = await put.json();
    const form = { intent: "run", version: "1", timeout: "5", stdin: "", args: "" };
    const readPage = async () => (await premium.page(`/file/${file_id}`)).text();

    const answer = premium.submit(`/file/${file_id}`, { ...form, keep: "1" });

    await vi.waitFor(async () => expect(await readPage()).toContain("Current run"));
    expect((await answer).status).toBe(303);
    expect(await readPage()).not.toContain("Current run");
  });

  it("keeps what was typed for a run that is refused or not kept", async () => {
    const id = await givenFile(premium, "typed.py", "print('ran')");
    for (const timeout of ["999", "20"]) {
      const typed = { ...fields, timeout, args: "--fast", stdin: "one\ntwo" };
      const html = await (await premium.submit(`/file/${id}`, typed)).text();
      expect(html).toContain(`value="${timeout}"`);
      expect(html).toContain('value="--fast"');
      expect(html).toMatch(/<textarea[^>]*name="stdin"[^>]*>one\ntwo<\/textarea>/);
    }
  });

  it("that reads input it was not given says so, and the tools open the field for it", async () => {
    const words = "<p>This program reads input.";
    const id = await givenFile(premium, "asks.py", "input()", "print('quiet')");
    const onFile = async (version: string) =>
      (await premium.submit(`/file/${id}?v=${version}`, { ...fields, version })).text();
    expect(await onFile("1")).toContain(words);
    expect(await onFile("2")).not.toContain(words);

    const onTools = async (text: string) =>
      (
        await premium.submit("/tools/code", { intent: "run", language: "python", text, timeout: "20" })
      ).text();
    const opened = /<details class="disclosure tools-input" open=""/;
    const [asked, quiet] = [await onTools("input()"), await onTools("print(1)")];
    expect([asked.includes(words), opened.test(asked)]).toEqual([true, true]);
    expect([quiet.includes(words), opened.test(quiet)]).toEqual([false, false]);
  });

  it("forgets the results when it is asked to", async () => {
    const id = await givenFile(premium, "forgotten.py", "print(1)");
    await premium.submit(`/file/${id}`, { ...fields, keep: "1" });
    expect(await listRunResults(web.db, PREMIUM_ID, id)).toHaveLength(1);

    const answer = await premium.submit(`/file/${id}`, { intent: "forget" });

    expect(answer.headers.get("Location")).toBe(`/file/${id}?run=last#runs`);
    expect(await listRunResults(web.db, PREMIUM_ID, id)).toEqual([]);
  });

  it("offers to keep results unless its reader chose otherwise", async () => {
    const id = await givenFile(premium, "choice.py", "print(1)");
    const isTicked = async () =>
      /<input type="checkbox" name="keep" checked=""/.test(await (await premium.page(`/file/${id}`)).text());
    expect(await isTicked()).toBe(true);

    await premium.submit("/preferences", { keep_runs: "off" });
    expect(await isTicked()).toBe(false);
    await premium.submit("/preferences", { keep_runs: "on" });
    expect(await isTicked()).toBe(true);
  });

  it("says why it cannot be run, and refuses whoever asks all the same", async () => {
    const id = await givenFile(regular, "barred.py", "print(1)");

    expect(await (await regular.page(`/file/${id}`)).text()).toContain(
      "To run code, ask your administrator for a premium account.",
    );
    expect((await regular.submit(`/file/${id}`, { ...fields, keep: "1" })).status).toBe(403);
    expect(await listRunResults(web.db, "902", id)).toEqual([]);
  });

  it("leads to the reason where the button would be, for a file that is too large", async () => {
    const large = await givenFile(
      premium,
      "too-large.py",
      `# ${"x".repeat(CODE_LIMITS.max_code_length_bytes)}\n`,
    );

    const page = await (await premium.page(`/file/${large}`)).text();
    const link = /<a class="button run-barred" href="([^"#]*)#runs" title="([^"]*)"/.exec(page);
    expect(link?.slice(1)).toEqual([
      `/file/${large}?run=last`,
      "This file is too large to run. The limit is 50 KiB.",
    ]);
    expect(await (await premium.page(`/file/${large}?run=last`)).text()).toMatch(
      /<details class="runs"[^>]* open=""/,
    );
  });

  const wrong: [name: string, file: string, text: string, version: string, status: number][] = [
    ["that is no Python", "prose.md", "# One", "1", 400],
    ["that has no such version", "young.py", "print(1)", "2", 404],
    ["that is too large", "large.py", `# ${"x".repeat(CODE_LIMITS.max_code_length_bytes)}\n`, "1", 413],
  ];

  it.each(wrong)("does not run a file %s", async (_, name, text, version, status) => {
    const id = await givenFile(premium, name, text);

    const answer = await premium.submit(`/file/${id}`, { ...fields, version });

    expect(answer.status).toBe(status);
  });
});
