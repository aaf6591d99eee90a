/** Hostile texts in each place where the product stores them; each owner makes them again. */

import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import { createOrReplaceFeed } from "#db/accounts/feeds.server.ts";
import type { Db } from "#db/client.ts";
import { INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { BODY_MAX_BYTES, COMPARE_MAX_BYTES } from "#domain/files/file.ts";
import { CONTENT_MAX } from "#domain/notes/note.ts";
import { itemAt, required } from "#domain/required.ts";
import type { Names } from "#tests/authorisation/belongings.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { createGiven } from "#tests/support/given.ts";
import { givenRepo } from "#tests/support/repos/given-repo.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import type { Ask } from "./metered-web.ts";

/** The ids for the address, its query and the form. */
export type Made = { names: Names; query?: (call: string) => string; sent?: Record<string, string> };
type Stage = { ask: Ask; db: Db };
export type Maker = { length: number; make(stage: Stage, text: string): Promise<Made> };

const NOTES = 10;
const NEWEST_FILES = 40;
let count = 0;

async function send(ask: Ask, method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await ask(path, { method, body: text, headers: { "Content-Type": "application/json" } });
  if (!answer.ok)
    throw new Error(`${method} ${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return answer.json();
}

const put = async (ask: Ask, name: string, text: string) =>
  String((await send(ask, "PUT", `/api/files/${name}`, text)).file_id);

async function file(ask: Ask, extension: string, text: string): Promise<Names> {
  count += 1;
  const id = await put(ask, `hostile-${count}.${extension}`, text);
  const name = `hostile-${count}.${extension}`;
  return { id, file_id: id, file_name: name, path: name };
}

/** A file whose name tells its language; a page may show less than its length. */
export const makeFile = (extension: string, length = BODY_MAX_BYTES - 1_000): Maker => ({
  length,
  make: async ({ ask }, text) => {
    const names = await file(ask, extension, text);
    return {
      names,
      query: (call) => (/^\w+ \/(notes\/new|tools)/.test(call) ? `?file=${names.id}` : ""),
      sent: { intent: "explain" },
    };
  },
});

async function notes(ask: Ask, place: string, text: string): Promise<string> {
  const ids = await Promise.all(
    Array.from({ length: NOTES }, (_, n) =>
      send(ask, "POST", `/api/sticky-notes/${place}`, { content: `${text}${n}` }),
    ),
  );
  return String(itemAt(ids, 0).id);
}

const sharedAs = (extension: string): Maker => ({
  length: COMPARE_MAX_BYTES - 1_000,
  make: async ({ ask }, text) => {
    const { id } = await file(ask, extension, text);
    const { share_id } = await send(ask, "POST", `/api/share/${id}`, {});
    return { names: { id: String(share_id), form: "raw" } };
  },
});

/** A piece from within the text, to search for. */
const cutOut = (text: string) =>
  text
    .slice(text.length >> 1, (text.length >> 1) + 12)
    .toWellFormed()
    .trim() || "a";

export const STORED = {
  file: makeFile("py"),
  document: makeFile("md"),
  page: makeFile("html"),
  drawing: {
    ...makeFile("svg"),
    make: async ({ ask }, text) => ({
      names: await file(ask, "svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`),
    }),
  },
  found: {
    length: 2_000_000,
    make: async ({ ask }, text) => ({
      names: await file(ask, "txt", text),
      query: () => `?q=${encodeURIComponent(cutOut(text))}`,
    }),
  },
  /** The search looks in the newest files' definitions for other spellings of a word without matches. */
  newest: {
    length: NEWEST_FILES * 2_000,
    make: async ({ ask }, text) => {
      const each = Math.ceil(text.length / NEWEST_FILES);
      const beginnings = Array.from({ length: NEWEST_FILES }, (_, n) => text.slice(n * each, (n + 1) * each));
      await Promise.all(beginnings.map((beginning, n) => file(ask, n % 2 ? "ts" : "md", `${beginning} `)));
      return { names: {}, query: () => "?q=quetzalcoatl" };
    },
  },
  versions: {
    length: COMPARE_MAX_BYTES - 1_000,
    make: async ({ ask }, text) => {
      const names = await file(ask, "txt", text);
      const half = text.length >> 1;
      await put(ask, required(names.file_name), `${text.slice(half)}\nbetween\n${text.slice(0, half)}`);
      return { names };
    },
  },
  stale: {
    length: COMPARE_MAX_BYTES - 1_000,
    make: async ({ ask }, text) => {
      const names = await file(ask, "txt", text);
      const half = text.length >> 1;
      await put(ask, required(names.file_name), `theirs\n${text}`);
      return { names, sent: { version: "1", text: `${text.slice(0, half)}\nmine\n${text.slice(half)}` } };
    },
  },
  note: {
    length: CONTENT_MAX,
    make: async ({ ask }, text) => {
      const { id } = await file(ask, "py", "print(1)\n");
      const { id: note } = await send(ask, "POST", `/api/sticky-notes/${id}`, { content: "before" });
      await send(ask, "PUT", `/api/sticky-notes/note/${note}`, { content: text });
      const { contents } = await (await ask(`/api/sticky-notes/note/${note}/history`)).json();
      await send(ask, "POST", `/api/sticky-notes/note/${note}/reminder`, { preset: "1h" });
      const names = { id: String(note), note_id: String(note), updated_at: contents[0].updated_at };
      return {
        names,
        sent: {
          intent: "tick:0:on",
          content: `mine\n${text}`,
          prev_updated_at: "2020-01-01T00:00:00.000+00:00",
        },
      };
    },
  },
  notes: {
    length: CONTENT_MAX - 10,
    make: async ({ ask }, text) => {
      const names = await file(ask, "py", "print(1)\n");
      await notes(ask, required(names.id), text);
      return { names, query: () => `?q=${encodeURIComponent(cutOut(text))}` };
    },
  },
  edited: {
    length: COMPARE_MAX_BYTES - 1_000,
    make: async ({ ask }, text) => {
      const names = await file(ask, "txt", `one\ntwo\n${text}`);
      await send(ask, "POST", `/api/sticky-notes/${names.id}`, {
        content: "here",
        line_start: 2,
        line_end: 3,
      });
      await put(ask, required(names.file_name), `one\n${text}\ntwo`);
      return { names };
    },
  },
  board: {
    length: CONTENT_MAX - 10,
    make: async ({ ask }, text) => {
      count += 1;
      const { board } = await send(ask, "POST", "/api/note-boards", { name: `Hostile ${count}` });
      const { id } = board as { id: string };
      await notes(ask, `board/${id}`, text);
      return { names: { id, board_id: id } };
    },
  },
  reminders: {
    length: CONTENT_MAX - 10,
    make: async ({ ask, db }, text) => {
      const { id } = await file(ask, "py", "print(1)\n");
      const note = await notes(ask, required(id), text);
      await send(ask, "POST", `/api/sticky-notes/note/${note}/reminder`, { preset: "1h" });
      await db.reminders.updateMany(
        { user_id: OWNER_ID },
        { $set: { remind_at: new Date(Date.now() - 60_000) } },
      );
      return { names: { id: note, note_id: note } };
    },
  },
  feed: {
    length: CONTENT_MAX - 10,
    make: async (stage, text) => {
      await STORED.reminders.make(stage, text);
      const feed = orThrow(await createOrReplaceFeed(stage.db, newOwner(OWNER_ID), new Date()));
      return { names: { secret: feed.secret, name: "reminders.ics" } };
    },
  },
  share: sharedAs("py"),
  sharedDocument: sharedAs("md"),
  sharedPage: sharedAs("html"),
  link: {
    length: COMPARE_MAX_BYTES - 1_000,
    make: async ({ ask }, text) => {
      const [one, two] = [await file(ask, "py", text), await file(ask, "md", text)];
      const { share_url } = await send(ask, "POST", "/api/files/create-share-link", {
        file_ids: [one.id, two.id],
      });
      return {
        names: {
          token: required(new URL(String(share_url)).pathname.split("/").at(-1)),
          place: "2",
          form: "raw",
        },
      };
    },
  },
  /** The links in a document lead to files that are shared with it. */
  folderLink: {
    length: RENDER_MAX_LENGTH - 1_000,
    make: async ({ ask }, text) => {
      count += 1;
      const id = await put(ask, `hostile-${count}/hostile.md`, text);
      const { file } = await (await ask(`/api/file/${id}`)).json();
      const { share_id } = await send(ask, "POST", `/api/folders/${file.folder_id}/share`, {});
      return { names: { token: String(share_id), place: "1", form: "raw" } };
    },
  },
  instructions: {
    length: INSTRUCTIONS_MAX_BYTES / 4,
    make: async ({ ask }, text) => {
      await ask("/settings", {
        method: "POST",
        html: true,
        body: new URLSearchParams({ instructions: text, seen: "" }),
      });
      return { names: {} };
    },
  },
  repo: {
    length: COMPARE_MAX_BYTES - 1_000,
    make: async ({ db }, text) => {
      count += 1;
      const repo = `hostile/repo-${count}`;
      await givenRepo(db, OWNER_ID, repo, { "src/main.py": text, "src/README.md": text.slice(0, 10_000) });
      const target = { kind: "repo", repo_name: repo, repo_path: "src/main.py" } as const;
      await createGiven(db, () => NOON).note(
        OWNER_ID,
        { content: "here", line_start: 1, line_end: 1 },
        target,
      );
      const path = encodeURIComponent(repo);
      return {
        names: { repo_name: path, name: path, repo_path: "src/main.py" },
        query: (call) =>
          `?path=${call.endsWith("/file") ? "src%2Fmain.py" : "src"}&q=${encodeURIComponent(cutOut(text))}`,
      };
    },
  },
} satisfies Record<string, Maker>;

export type Stored = keyof typeof STORED;
