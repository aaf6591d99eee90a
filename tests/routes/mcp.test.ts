import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, it } from "vitest";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "40" });
const dana = await web.person();

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function createAgent(ownerId: string, scope: TokenScope = "write"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { Authorization: `Bearer ${(await web.given.token(ownerId, scope)).secret}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${web.url}/mcp`), { requestInit: { headers } }),
  );
  clients.push(client);
  return client;
}

/** The protocol's own refusals have words only. */
function readAnswer({ content: [first] }: CallToolResult) {
  const text = first?.type === "text" ? first.text : "";
  return text.startsWith("{") ? JSON.parse(text) : {};
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
  return { isError: result.isError === true, result, ...readAnswer(result) };
}

const writer = await createAgent(dana.id);
const reader = await createAgent(dana.id, "read");
const stranger = await createAgent((await web.person()).id);
const saveFile = (file_name: string, content: string, client = writer, version?: number) =>
  call(client, "save_file", { file_name, content, version });

/** Another agent, whose owner has an empty library. */
async function givenAgent() {
  const { id: owner } = await web.person();
  const listEvents = () => web.db.push_events.find({ user_id: owner }).sort({ _id: 1 }).toArray();
  return { owner, client: await createAgent(owner), listEvents };
}

describe("an agent", () => {
  it("renames and describes a file without a new version, and not over another", async () => {
    const { file_id } = await saveFile("old.txt", "# x\n");
    await saveFile("other.txt", "y\n");
    const { file } = await call(writer, "update_file", { file_id, file_name: "new.md", tags: ["a"] });
    expect(file).toMatchObject({ file_name: "new.md", language: "markdown", tags: ["a"], version: 1 });
    const refused = await call(writer, "update_file", { file_id, file_name: "other.txt" });
    expect(refused).toMatchObject({ error: "name_taken" });
  });

  it("gets every tool with its parameters, and whether it only reads", async () => {
    const { tools } = await writer.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["list_files", true],
      ["search_files", true],
      ["read_file", true],
      ["list_versions", true],
      ["save_file", false],
      ["update_file", false],
      ["search", true],
      ["list_folders", true],
      ["list_notes", true],
      ["search_notes", true],
      ["add_note", false],
      ["tick_task", false],
      ["move_note", false],
      ["set_reminder", false],
      ["run_code", false],
    ]);
    const read = required(tools.find(({ name }) => name === "read_file"));
    expect(Object.keys(required(read.inputSchema.properties))).toEqual([
      "path",
      "file_id",
      "version",
      "start_line",
      "start_column",
      "end_line",
    ]);
    expect(tools.every(({ description }) => required(description).length > 40)).toBe(true);
  });

  it("saves along a path, lists folders and files in them, and searches by rank", async () => {
    const { client } = await givenAgent();
    const saved = await saveFile("lib/כלים/retry.py", "x = 1\n", client);
    expect(saved).toMatchObject({ created: true, file_name: "retry.py" });
    const { folders } = await call(client, "list_folders");
    expect(folders.map(({ path }: { path: string }) => path)).toEqual(["lib", "lib/כלים"]);
    const { files } = await call(client, "list_files", { folder: folders[1].id });
    expect(files).toMatchObject([{ file_name: "retry.py" }]);
    const { hits } = await call(client, "search", { q: "ret", folder: folders[0].id });
    expect(hits).toMatchObject([{ kind: "file", title: "retry.py", path: "lib/כלים/retry.py" }]);
    const { file } = await call(client, "update_file", { file_id: saved.file_id, folder_id: null });
    expect(file).toMatchObject({ path: "retry.py" });
  });

  it("saves, lists, finds and reads files, versions and lines", async () => {
    const { client } = await givenAgent();
    const saved = await saveFile("agent.py", "a = 1\nb = 2\nc = 3\n", client);
    expect(saved).toMatchObject({ ok: true, version: 1, created: true, file_name: "agent.py" });
    const { file_id } = saved;
    const content = "needle = 'שלום 🙂'\n";
    expect(await saveFile("agent.py", content, client)).toMatchObject({
      error: "version_changed",
      version: 1,
    });
    await saveFile("agent.py", content, client, 1);

    const { files } = await call(client, "list_files", { lang: "python", limit: 5 });
    const hit = await call(client, "search_files", { q: "NEEDLE = 'שלום" });
    const newest = await call(client, "read_file", { file_id });
    const older = await call(client, "read_file", { file_id, version: 1, start_line: 2, end_line: 3 });

    expect(files.map(({ id }: { id: string }) => id)).toEqual([file_id]);
    expect(hit.files[0].match.number).toBe(1);
    expect(newest).toMatchObject({ version: 2, content, next_line: null });
    const lines = { content: "b = 2\nc = 3\n", start_line: 2, end_line: 3, total_lines: 3 };
    expect(older).toMatchObject(lines);
    const again = await saveFile("agent.py", content, client);
    expect(again).toMatchObject({ version: 2, created: false, unchanged: true });
    const { versions, next_cursor } = await call(client, "list_versions", { file_id, limit: 1 });
    expect([versions[0].version, next_cursor]).toEqual([2, "2"]);
  });

  it("does not overwrite what someone else saved meanwhile", async () => {
    const { file_id } = await saveFile("shared.txt", "one\n");
    await dana.saveFile("shared.txt", "two\n");

    const edit = { file_name: "shared.txt", content: "three\n", file_id, version: 1 };
    const late = await call(writer, "save_file", edit);

    expect(late).toMatchObject({ isError: true, error: "stale_edit" });
    expect((await call(reader, "read_file", { file_id })).content).toBe("two\n");
  });

  it("reads a long file piece by piece, with the position of the next one", async () => {
    const text = Array.from({ length: 4_500 }, (_, i) => `line ${i + 1}`).join("\n");
    const { file_id } = await saveFile("long.txt", text);
    const pieces: string[] = [];
    for (let start_line: number | null = 1; start_line !== null; ) {
      const { content, next_line } = await call(reader, "read_file", { file_id, start_line });
      pieces.push(content);
      start_line = next_line;
    }
    expect(pieces).toHaveLength(3);
    expect(pieces.join("\n")).toBe(text);
  });

  it("reads by a path, and a long line in pieces that lose no character", async () => {
    const text = `${"🙂".repeat(60_000)}\nend`;
    await saveFile("deep/er/long.txt", text);
    const where = { path: "deep/er/long.txt" };
    let [read, place]: [string, Record<string, number>] = ["", { start_line: 1 }];
    for (let answers = 0; place.start_line; answers += 1) {
      const { content, next_line, next_column } = await call(reader, "read_file", { ...where, ...place });
      read += content + (next_line && !next_column ? "\n" : "");
      place = { start_line: next_line, ...(next_column ? { start_column: next_column } : {}) };
      expect(content.length).toBeLessThanOrEqual(50_000);
      expect(answers).toBeLessThan(10);
    }
    expect(read).toBe(text);
    expect(await call(reader, "read_file", { path: "deep/none.txt" })).toMatchObject({
      error: "File not found",
    });
  });

  it("gets a description of the library, and the owner's instructions", async () => {
    const { owner, client } = await givenAgent();
    expect(client.getInstructions()).toContain("personal library of code files");
    await setInstructions(web.db, owner, "Answer in Hebrew.", null, web.clock());
    expect((await createAgent(owner)).getInstructions()).toContain("Answer in Hebrew.");
  });

  it("adds, lists and finds notes, ticks their tasks and sets reminders", async () => {
    const { file_id } = await saveFile("noted.py", "x = 1\n");
    const fields = { line_start: 1, title: "Plan", content: "- [ ] first\n- [ ] second" };
    const { note } = await call(writer, "add_note", { file_id, ...fields });
    const onBoard = await call(writer, "add_note", { content: "לקנות חלב" });
    expect(note).toMatchObject({ file_id, line_start: 1, mode: "anchored" });
    expect(onBoard.note.kind).toBe("board");

    const tick = { note_id: note.id, checked: true, prev_updated_at: note.updated_at };
    const ticked = await call(writer, "tick_task", { ...tick, index: 1 });
    const again = await call(writer, "tick_task", { ...tick, index: 0 });
    const { remind_at } = await call(writer, "set_reminder", { note_id: note.id, preset: "3h" });

    const content = "- [ ] first\n- [x] second";
    expect(ticked).toMatchObject({ changed: true, note: { content } });
    expect(again).toMatchObject({ isError: true, error: "conflict", content });
    expect(Date.parse(remind_at)).toBe(web.clock().getTime() + 180 * MINUTE_MS);
    const listed = await call(reader, "list_notes", { file_id });
    expect(listed.notes[0].reminder.remind_at).toBe(remind_at);
    expect((await call(reader, "list_notes")).notes).toHaveLength(2);
  });

  it("announces each of its changes to the owner once, and no call without a change", async () => {
    const { owner, client, listEvents } = await givenAgent();
    const { file_id } = await saveFile("a.py", "a\n", client);
    await saveFile("a.py", "b\n", client, 1);
    await saveFile("a.py", "b\n", client);
    const { note } = await call(client, "add_note", { file_id, content: "- [ ] one" });
    const tick = { note_id: note.id, index: 0, checked: true };
    const ticked = await call(client, "tick_task", { ...tick, prev_updated_at: note.updated_at });
    await call(client, "tick_task", { ...tick, prev_updated_at: ticked.note.updated_at });
    await call(client, "tick_task", { ...tick, prev_updated_at: note.updated_at });
    await call(client, "set_reminder", { note_id: note.id, preset: "1h" });
    await call(client, "read_file", { file_id });
    const { note: onBoard } = await call(client, "add_note", { content: "to move" });
    const board_id = (await web.given.board(owner, "Later")).id;
    for (const changed of [true, false]) {
      const moved = await call(client, "move_note", { note_id: onBoard.id, board_id });
      expect(moved).toMatchObject({ changed, note: { board_id } });
    }
    const fromFile = await call(client, "move_note", { note_id: note.id, board_id });
    expect(fromFile).toMatchObject({ changed: true, note: { board_id, file_id: null } });

    const events = await listEvents();
    expect(events.map((event) => [event.kind, event.note_id ?? null, event.file_id])).toEqual([
      ["file_saved", null, file_id],
      ["file_saved", null, file_id],
      ["note_added", note.id, file_id],
      ["task_changed", note.id, file_id],
      ["reminder_set", note.id, file_id],
      ["note_added", onBoard.id, null],
      ["note_moved", onBoard.id, null],
      ["note_moved", note.id, null],
    ]);
    for (const event of events) expect(event.needs_push).toBe(true);
    const saves = events.slice(0, 2).map(({ file_name, created }) => [file_name, created]);
    expect(saves).toEqual([
      ["a.py", true],
      ["a.py", false],
    ]);
  });

  it("finds the notes that the page finds", async () => {
    await call(writer, "add_note", { content: "Straße und STRASSE" });
    for (const q of ["חלב", "plan", "STRAS", "straße", "nothing"]) {
      const page = await dana.readJson(`/api/sticky-notes/search?q=${encodeURIComponent(q)}`);
      const { results } = await call(reader, "search_notes", { q });
      const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
      expect(ids(results)).toEqual(ids(page.results));
    }
  });
});

describe("an agent is refused", () => {
  it.each([
    ["save_file", { file_name: "never.txt", content: "x" }],
    ["update_file", { file_id: ABSENT_ID, file_name: "never.txt" }],
    ["add_note", { content: "never" }],
    ["tick_task", { note_id: ABSENT_ID, index: 0, checked: true, prev_updated_at: "x" }],
    ["move_note", { note_id: ABSENT_ID, board_id: ABSENT_ID }],
    ["set_reminder", { note_id: ABSENT_ID, preset: "1h" }],
    ["run_code", { code: "print(1)" }],
  ])("%s with a token for reading", async (name, input) => {
    expect(await call(reader, name, input)).toMatchObject({ isError: true, error: "read_only_token" });
    expect((await call(reader, "search_files", { q: "never.txt" })).files).toEqual([]);
  });

  it("another person's things, exactly like absent ones", async () => {
    const { file_id } = await saveFile("mine.txt", "secret\n");
    const { note } = await call(writer, "add_note", { file_id, content: "- [ ] mine" });
    const tick = { index: 0, checked: true, prev_updated_at: note.updated_at };

    for (const [name, input, error] of [
      ["read_file", { file_id }, "File not found"],
      ["list_notes", { file_id }, "File not found"],
      ["add_note", { file_id, content: "x" }, "File not found"],
      ["tick_task", { note_id: note.id, ...tick }, "Note not found"],
      ["set_reminder", { note_id: note.id, preset: "1h" }, "Note not found"],
      ["save_file", { file_name: "mine.txt", content: "x", file_id, version: 1 }, "File not found"],
    ] as const)
      expect((await call(stranger, name, input)).error, name).toBe(error);
    expect((await call(stranger, "search_files", { q: "secret" })).files).toEqual([]);
    expect((await call(stranger, "list_notes")).notes).toEqual([]);
  });

  it("a program of a person who may not run code", async () => {
    const refusal = { error: "Premium or admin role required" };
    expect(await call(writer, "run_code", { code: "print(1)" })).toMatchObject(refusal);
  });

  const hostile: [string, Record<string, unknown>][] = [
    ["read_file", { file_id: { $ne: null } }],
    ["read_file", { file_id: ABSENT_ID, version: "1" }],
    ["read_file", {}],
    ["read_file", { file_id: ABSENT_ID, path: "a.py" }],
    ["list_files", { limit: 100_000 }],
    ["list_files", { owner_id: "1" }],
    ["search", { q: "x", folder: "../x" }],
    ["save_file", { file_name: "../../etc/passwd", content: "x" }],
    ["save_file", { file_name: "big.txt", content: "x".repeat(2 * 1024 * 1024 + 1) }],
    ["save_file", { file_name: "b.txt", content: "a\u0000b" }],
    ["save_file", { file_name: "half.txt", content: "x", file_id: ABSENT_ID }],
    ["add_note", { content: "x", file_id: "a", board_id: "b" }],
    ["add_note", { content: "x", user_id: "1" }],
    ["tick_task", { note_id: "../x", index: 0, checked: true, prev_updated_at: "yesterday" }],
    ["run_code", { code: "1", language: "bash" }],
    ["set_reminder", { note_id: ABSENT_ID }],
    ["set_reminder", { note_id: ABSENT_ID, at: "2020-01-01T00:00" }],
  ];
  it.each(hostile)("%s with %j", async (name, input) => {
    web.clock.pass(MINUTE_MS);
    const before = await web.db.files.countDocuments({});
    const { isError, result } = await call(writer, name, input);
    expect(isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('"internal"');
    expect(await web.db.files.countDocuments({})).toBe(before);
  });

  it("for an unknown tool", async () => {
    expect((await call(writer, "drop_everything")).isError).toBe(true);
  });

  const HEADERS = { Accept: "application/json, text/event-stream" };

  it("without a token, with a wrong one, and with a session alone", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const wrong = { ...HEADERS, Authorization: `Bearer cs_${"x".repeat(43)}` };
    for (const { status, headers } of [
      await web.visitor().send("POST", "/mcp", body, HEADERS),
      await dana.send("POST", "/mcp", body, HEADERS),
      await dana.send("POST", "/mcp", body, wrong),
    ])
      expect([status, headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    const { status, headers } = await dana.send("GET", "/mcp");
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it("more changes in a minute than people may make, however they are batched", async () => {
    web.clock.pass(MINUTE_MS);
    const calls = Array.from({ length: 45 }, (_, id) => ({
      jsonrpc: "2.0",
      id: id + 1,
      method: "tools/call",
      params: { name: "add_note", arguments: { content: "x".repeat(20_001) } },
    }));
    const { body } = await (await web.script(dana.id)).send("POST", "/mcp", calls, HEADERS);
    const answers = typeof body === "string" ? body : JSON.stringify(body);
    expect(answers).toContain("rate_limit_exceeded");
  });

  it("not what it saves, which counts as by any other way", async () => {
    web.clock.pass(MINUTE_MS);
    const calls = Array.from({ length: 45 }, (_, id) => ({
      jsonrpc: "2.0",
      id: id + 1,
      method: "tools/call",
      params: { name: "save_file", arguments: { file_name: `many-${id}.txt`, content: "x" } },
    }));
    const agent = await web.script(dana.id);
    for (const names of [calls, calls.toReversed()])
      expect(JSON.stringify((await agent.send("POST", "/mcp", names, HEADERS)).body)).not.toContain(
        "rate_limit",
      );
  });
});
