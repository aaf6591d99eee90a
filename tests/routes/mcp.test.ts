import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, it } from "vitest";
import { createToken } from "#db/accounts/tokens.server.ts";
import { type BoardRecord, createBoard } from "#db/boards/boards.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "40" });
const dana = await web.visitor().logIn("70");
await web.visitor().logIn("71");

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function secretOf(ownerId: string, scope: TokenScope): Promise<string> {
  const made = await createToken(
    web.db,
    newOwner(ownerId),
    { name: "agent", scope, lifetimeDays: null },
    web.clock(),
  );
  if (isRefusal(made)) throw new Error("no place left");
  return made.secret;
}

async function agent(ownerId = "70", scope: TokenScope = "write"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { Authorization: `Bearer ${await secretOf(ownerId, scope)}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${web.url}/mcp`), { requestInit: { headers } }),
  );
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what each test is about
  return { isError: result.isError === true, answer: result.structuredContent as any, result };
}

const writer = await agent();
const reader = await agent("70", "read");
const stranger = await agent("71");

describe("an agent", () => {
  it("renames and describes a file without a new version, and not over another", async () => {
    const { file_id } = (await call(writer, "save_file", { file_name: "old.txt", content: "# x\n" })).answer;
    await call(writer, "save_file", { file_name: "other.txt", content: "y\n" });
    const changed = await call(writer, "update_file", { file_id, file_name: "new.md", tags: ["a"] });
    expect(changed.answer.file).toMatchObject({
      file_name: "new.md",
      language: "markdown",
      tags: ["a"],
      version: 1,
    });
    const taken = await call(writer, "update_file", { file_id, file_name: "other.txt" });
    expect(taken.answer).toMatchObject({ error: "name_taken" });
    await web.db.push_events.deleteMany({ user_id: "70" });
    await web.db.files.deleteMany({ user_id: "70" });
  });

  it("is told of every tool, what it takes, and whether it only reads", async () => {
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
      "file_id",
      "version",
      "start_line",
      "end_line",
    ]);
    expect(tools.every(({ description }) => required(description).length > 40)).toBe(true);
  });

  it("saves along a path, lists folders and files in them, and searches by rank", async () => {
    const saved = await call(writer, "save_file", { file_name: "lib/כלים/retry.py", content: "x = 1\n" });
    expect(saved.answer).toMatchObject({ created: true, file_name: "retry.py" });
    const { folders } = (await call(reader, "list_folders", {})).answer;
    expect(folders.map(({ path }: { path: string }) => path)).toEqual(["lib", "lib/כלים"]);
    const listed = await call(reader, "list_files", { folder: folders[1].id });
    expect(listed.answer.files).toMatchObject([{ file_name: "retry.py" }]);
    const { hits } = (await call(reader, "search", { q: "ret", folder: folders[0].id })).answer;
    expect(hits).toMatchObject([{ kind: "file", title: "retry.py", path: "lib/כלים/retry.py" }]);
    const moved = await call(writer, "update_file", { file_id: saved.answer.file_id, folder_id: null });
    expect(moved.answer.file).toMatchObject({ path: "retry.py" });
    await web.db.push_events.deleteMany({ user_id: "70" });
    await web.db.files.deleteMany({ user_id: "70" });
  });

  it("saves, lists, finds and reads files, versions and lines, and its saves are told to the owner", async () => {
    const saved = await call(writer, "save_file", {
      file_name: "agent.py",
      content: "a = 1\nb = 2\nc = 3\n",
    });
    expect(saved.answer).toMatchObject({ ok: true, version: 1, created: true, file_name: "agent.py" });
    const { file_id } = saved.answer;
    await call(writer, "save_file", { file_name: "agent.py", content: "needle = 'שלום 🙂'\n" });

    const listed = await call(reader, "list_files", { lang: "python", limit: 5 });
    const found = await call(reader, "search_files", { q: "NEEDLE = 'שלום" });
    const newest = await call(reader, "read_file", { file_id });
    const older = await call(reader, "read_file", { file_id, version: 1, start_line: 2, end_line: 3 });

    expect(listed.answer.files.map((file: { id: string }) => file.id)).toEqual([file_id]);
    expect(found.answer.files[0].match.number).toBe(1);
    expect(newest.answer).toMatchObject({ version: 2, content: "needle = 'שלום 🙂'\n", next_line: null });
    expect(older.answer).toMatchObject({
      content: "b = 2\nc = 3",
      start_line: 2,
      end_line: 3,
      total_lines: 4,
    });
    const again = await call(writer, "save_file", { file_name: "agent.py", content: "needle = 'שלום 🙂'\n" });
    expect(again.answer).toMatchObject({ version: 2, created: false, unchanged: true });
    const { versions, next_cursor } = (await call(reader, "list_versions", { file_id, limit: 1 })).answer;
    expect([versions[0].version, next_cursor]).toEqual([2, "2"]);
    const events = await web.db.push_events.find({ user_id: "70" }).sort({ _id: 1 }).toArray();
    expect(
      events.map(({ kind, file_name, created, needs_push }) => [kind, file_name, created, needs_push]),
    ).toEqual([
      ["file_saved", "agent.py", true, true],
      ["file_saved", "agent.py", false, true],
    ]);
  });

  it("does not overwrite what someone else saved meanwhile", async () => {
    const { answer } = await call(writer, "save_file", { file_name: "shared.txt", content: "one\n" });
    await dana.ask("/api/files/shared.txt", { method: "PUT", body: "two\n" });

    const late = await call(writer, "save_file", {
      file_name: "shared.txt",
      content: "three\n",
      file_id: answer.file_id,
      version: 1,
    });

    expect([late.isError, late.answer.error]).toEqual([true, "stale_edit"]);
    expect((await call(reader, "read_file", { file_id: answer.file_id })).answer.content).toBe("two\n");
  });

  it("reads a long file piece by piece, and is told where to read on", async () => {
    const text = Array.from({ length: 4_500 }, (_, i) => `line ${i + 1}`).join("\n");
    const { answer } = await call(writer, "save_file", { file_name: "long.txt", content: text });
    const pieces: string[] = [];
    for (let next: number | null = 1; next !== null; ) {
      const read = await call(reader, "read_file", { file_id: answer.file_id, start_line: next });
      pieces.push(read.answer.content);
      next = read.answer.next_line;
    }
    expect(pieces).toHaveLength(3);
    expect(pieces.join("\n")).toBe(text);
  });

  it("adds, lists and finds notes, ticks their tasks and sets reminders", async () => {
    const { answer: file } = await call(writer, "save_file", { file_name: "noted.py", content: "x = 1\n" });
    const onFile = await call(writer, "add_note", {
      file_id: file.file_id,
      line_start: 1,
      title: "Plan",
      content: "- [ ] first\n- [ ] second",
    });
    const onBoard = await call(writer, "add_note", { content: "לקנות חלב" });
    const { note } = onFile.answer;
    expect([note.file_id, note.line_start, note.mode]).toEqual([file.file_id, 1, "anchored"]);
    expect(onBoard.answer.note.kind).toBe("board");

    const ticked = await call(writer, "tick_task", {
      note_id: note.id,
      index: 1,
      checked: true,
      prev_updated_at: note.updated_at,
    });
    const again = await call(writer, "tick_task", {
      note_id: note.id,
      index: 0,
      checked: true,
      prev_updated_at: note.updated_at,
    });
    const reminded = await call(writer, "set_reminder", { note_id: note.id, preset: "3h" });

    expect(ticked.answer).toMatchObject({ changed: true, note: { content: "- [ ] first\n- [x] second" } });
    expect([again.isError, again.answer.error, again.answer.content]).toEqual([
      true,
      "conflict",
      "- [ ] first\n- [x] second",
    ]);
    expect(Date.parse(reminded.answer.remind_at)).toBe(web.clock().getTime() + 3 * 3_600_000);
    const listed = await call(reader, "list_notes", { file_id: file.file_id });
    expect(listed.answer.notes[0].reminder.remind_at).toBe(reminded.answer.remind_at);
    expect((await call(reader, "list_notes")).answer.notes).toHaveLength(2);
  });

  it("has each of its changes told to the owner once, and nothing that changed nothing", async () => {
    const owner = "72";
    await web.visitor().logIn(owner);
    const client = await agent(owner);
    const told = async () =>
      (await web.db.push_events.find({ user_id: owner }).sort({ _id: 1 }).toArray()).map(
        ({ kind, note_id, file_id, needs_push }) => [kind, note_id ?? null, file_id, needs_push],
      );
    const { file_id } = (await call(client, "save_file", { file_name: "a.py", content: "a\n" })).answer;
    const { note } = (await call(client, "add_note", { file_id, content: "- [ ] one" })).answer;
    const tick = { note_id: note.id, index: 0, checked: true };
    const ticked = await call(client, "tick_task", { ...tick, prev_updated_at: note.updated_at });
    await call(client, "tick_task", { ...tick, prev_updated_at: ticked.answer.note.updated_at });
    await call(client, "tick_task", { ...tick, prev_updated_at: note.updated_at });
    await call(client, "set_reminder", { note_id: note.id, preset: "1h" });
    await call(client, "read_file", { file_id });
    const { note: onBoard } = (await call(client, "add_note", { content: "to move" })).answer;
    const board_id = ((await createBoard(web.db, owner, "Later", web.clock())) as BoardRecord).id;
    for (const changed of [true, false]) {
      const moved = await call(client, "move_note", { note_id: onBoard.id, board_id });
      expect(moved.answer).toMatchObject({ changed, note: { board_id } });
    }
    const fromFile = await call(client, "move_note", { note_id: note.id, board_id });
    expect(fromFile.answer).toMatchObject({ changed: true, note: { board_id, file_id: null } });

    expect(await told()).toEqual([
      ["file_saved", null, file_id, true],
      ["note_added", note.id, file_id, true],
      ["task_changed", note.id, file_id, true],
      ["reminder_set", note.id, file_id, true],
      ["note_added", onBoard.id, null, true],
      ["note_moved", onBoard.id, null, true],
      ["note_moved", note.id, null, true],
    ]);
  });

  it("finds the notes that the page finds", async () => {
    await call(writer, "add_note", { content: "Straße und STRASSE" });
    for (const q of ["חלב", "plan", "STRAS", "straße", "nothing"]) {
      const page = await (await dana.ask(`/api/sticky-notes/search?q=${encodeURIComponent(q)}`)).json();
      const { answer } = await call(reader, "search_notes", { q });
      const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
      expect(ids(answer.results)).toEqual(ids(page.results));
    }
  });
});

describe("an agent is refused", () => {
  const writes: [string, Record<string, unknown>][] = [
    ["save_file", { file_name: "never.txt", content: "x" }],
    ["update_file", { file_id: "0".repeat(24), file_name: "never.txt" }],
    ["add_note", { content: "never" }],
    ["tick_task", { note_id: "0".repeat(24), index: 0, checked: true, prev_updated_at: "x" }],
    ["move_note", { note_id: "0".repeat(24), board_id: "0".repeat(24) }],
    ["set_reminder", { note_id: "0".repeat(24), preset: "1h" }],
  ];
  it.each(writes)("%s with a token for reading", async (name, given) => {
    const refused = await call(reader, name, given);
    expect([refused.isError, refused.answer.error]).toEqual([true, "read_only_token"]);
    expect((await call(reader, "search_files", { q: "never.txt" })).answer.files).toEqual([]);
  });

  it("what belongs to someone else, exactly as what is not there", async () => {
    const { answer: file } = await call(writer, "save_file", { file_name: "mine.txt", content: "secret\n" });
    const { answer: noted } = await call(writer, "add_note", {
      file_id: file.file_id,
      content: "- [ ] mine",
    });
    const { id: note_id, updated_at } = noted.note;
    const tick = { index: 0, checked: true, prev_updated_at: updated_at };

    const answers = await Promise.all([
      call(stranger, "read_file", { file_id: file.file_id }),
      call(stranger, "list_notes", { file_id: file.file_id }),
      call(stranger, "add_note", { file_id: file.file_id, content: "x" }),
      call(stranger, "tick_task", { note_id, ...tick }),
      call(stranger, "set_reminder", { note_id, preset: "1h" }),
      call(stranger, "save_file", { file_name: "mine.txt", content: "x", file_id: file.file_id, version: 1 }),
    ]);

    expect(answers.map(({ answer }) => answer.error)).toEqual([
      "File not found",
      "File not found",
      "File not found",
      "Note not found",
      "Note not found",
      "File not found",
    ]);
    expect((await call(stranger, "search_files", { q: "secret" })).answer.files).toEqual([]);
    expect((await call(stranger, "list_notes")).answer.notes).toEqual([]);
  });

  it("a program of someone without the right to run code, and of a token that only reads", async () => {
    const program = { code: "print(1)" };
    expect((await call(writer, "run_code", program)).answer).toMatchObject({
      error: "Premium or admin role required",
    });
    expect((await call(reader, "run_code", program)).answer).toMatchObject({ error: "read_only_token" });
  });

  const hostile: [string, Record<string, unknown>][] = [
    ["read_file", { file_id: { $ne: null } }],
    ["read_file", { file_id: "0".repeat(24), version: "1" }],
    ["read_file", { file_id: "0".repeat(24), start_line: 0 }],
    ["read_file", { file_id: "x".repeat(101) }],
    ["read_file", {}],
    ["list_files", { limit: 100_000 }],
    ["list_files", { owner_id: "71" }],
    ["list_files", { "lang[$ne]": "x" }],
    ["search_files", { q: "" }],
    ["search", { q: "" }],
    ["search", { q: "x", folder: "../x" }],
    ["search_files", { q: ["a"] }],
    ["save_file", { file_name: "../../etc/passwd", content: "x" }],
    ["save_file", { file_name: "a\u0000b", content: "x" }],
    ["save_file", { file_name: "", content: "x" }],
    ["save_file", { file_name: "big.txt", content: "x".repeat(2 * 1024 * 1024 + 1) }],
    ["save_file", { file_name: "b.txt", content: "a\u0000b" }],
    ["save_file", { file_name: "half.txt", content: "x", version: 1 }],
    ["add_note", { content: "x".repeat(20_001) }],
    ["add_note", { content: "x", color: "javascript:alert(1)" }],
    ["add_note", { content: "x", file_id: "a", board_id: "b" }],
    ["add_note", { content: "x", user_id: "71" }],
    ["search_notes", { q: "   " }],
    ["search_notes", { q: "x".repeat(201) }],
    ["tick_task", { note_id: "../x", index: 0, checked: true, prev_updated_at: "yesterday" }],
    ["tick_task", { note_id: "0".repeat(24), index: -1, checked: true, prev_updated_at: "x" }],
    ["run_code", { code: "1", language: "bash" }],
    ["run_code", { code: "1", args: "x" }],
    ["run_code", { code: "1", memory_limit_mb: 4_000 }],
    ["set_reminder", { note_id: "0".repeat(24) }],
    ["set_reminder", { note_id: "0".repeat(24), at: "2020-01-01T00:00" }],
    ["set_reminder", { note_id: "0".repeat(24), preset: "1h", tz: "Mars/Base" }],
  ];
  it.each(hostile)("%s with %j", async (name, given) => {
    web.clock.set(new Date(web.clock().getTime() + 60_000));
    const before = await web.db.files.countDocuments({});
    const { isError, result } = await call(writer, name, given);
    expect(isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('"internal"');
    expect(await web.db.files.countDocuments({})).toBe(before);
  });

  it("for a tool that is none", async () => {
    expect((await call(writer, "drop_everything")).isError).toBe(true);
  });

  it("without a token, with a wrong one, and with a session alone", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const asked = { method: "POST", body, headers };
    const wrong = { ...asked, headers: { ...headers, Authorization: `Bearer cs_${"x".repeat(43)}` } };
    for (const response of [
      await web.visitor().ask("/mcp", asked),
      await dana.ask("/mcp", asked),
      await dana.ask("/mcp", wrong),
    ]) {
      expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    }
    const read = await dana.ask("/mcp");
    expect([read.status, read.headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it("more changes in a minute than people may make, however they are packed", async () => {
    web.clock.set(new Date(web.clock().getTime() + 60_000));
    const calls = Array.from({ length: 45 }, (_, id) => ({
      jsonrpc: "2.0",
      id: id + 1,
      method: "tools/call",
      params: { name: "add_note", arguments: { content: "x".repeat(20_001) } },
    }));
    const response = await web.visitor().ask("/mcp", {
      method: "POST",
      body: JSON.stringify(calls),
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${await secretOf("70", "write")}`,
      },
    });
    const text = await response.text();
    expect(text.match(/"rate_limit_exceeded"/g)?.length ?? 0).toBeGreaterThan(0);
  });
});
