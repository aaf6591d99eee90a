/** Notes whose writers are interrupted: one replaces its content, one ticks its tasks, one sets, marks and postpones its reminder. */

import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { HISTORY_MAX } from "#db/notes/notes.server.ts";
import { setTask } from "#domain/notes/note-tasks.ts";
import { itemAt, required } from "#domain/required.ts";
import { type Answer, acknowledged, type Caller } from "./caller.ts";
import type { Writer } from "./writer.ts";

const NOTES = "/api/sticky-notes";

type Stored = { id: string; content: string; updated_at: string };
type Change = { method: string; path: string; body: Record<string, unknown>; content: string };

export async function givenNote(caller: Caller, content: string): Promise<Stored> {
  const boards = await caller.call("GET", "/api/note-boards");
  const [board] = required(boards).body.boards as { id: string }[];
  const created = await caller.call("POST", `${NOTES}/board/${required(board).id}`, { content });
  if (!acknowledged(created, "making a note")) throw new Error("No note could be made");
  return created.body.note as Stored;
}

/** Writes with the last version it read. After an unanswered write it reads which of the two contents the note has. */
function swappingWriter(caller: Caller, name: string, first: Stored, next: (content: string) => Change) {
  let current = first;
  let doubtful: string | null = null;
  const contents = [first.content];
  const settle = async (): Promise<boolean> => {
    // A PUT without changes writes nothing and returns the stored note.
    const answer = await caller.call("PUT", `${NOTES}/note/${first.id}`, {});
    if (!acknowledged(answer, `reading ${name}`)) return false;
    const note = answer.body.note as Stored;
    if (note.content !== current.content && note.content !== doubtful)
      throw new Error(
        `holds ${JSON.stringify(note.content)}, neither what was acknowledged nor what followed`,
      );
    if (note.content !== current.content) contents.push(note.content);
    current = note;
    doubtful = null;
    return true;
  };
  const write = async (): Promise<boolean> => {
    if (doubtful !== null && !(await settle())) return false;
    const { method, path, body, content } = next(current.content);
    doubtful = content;
    const answer = await caller.call(method, `${NOTES}/note/${first.id}${path}`, {
      ...body,
      prev_updated_at: current.updated_at,
    });
    if (!acknowledged(answer, name)) return false;
    const note = answer.body.note as Stored;
    if (note.content !== content) throw new Error(`answered ${JSON.stringify(note.content)}`);
    current = note;
    doubtful = null;
    contents.push(content);
    return true;
  };
  const audit = (db: Db) => auditContents(db, name, first.id, contents, doubtful);
  return { name, write, audit } satisfies Writer;
}

/** Compares the note's content and history with every content that was written, in order. */
async function auditContents(
  db: Db,
  name: string,
  id: string,
  contents: readonly string[],
  doubtful: string | null,
): Promise<string[]> {
  const doc = await db.notes.findOne({ _id: new ObjectId(id) });
  if (!doc) return [`${name} is gone`];
  const wanted = doc.content === contents.at(-1) ? contents : [...contents, doubtful];
  const revisions = [...(doc.history ?? []).map(({ content }) => content), doc.content];
  const same = wanted.slice(-(HISTORY_MAX + 1)).join("\0") === revisions.join("\0");
  return same ? [] : [`${name} says ${JSON.stringify(revisions.slice(-3))} instead of what was acknowledged`];
}

export async function contentWriter(caller: Caller, name: string): Promise<Writer> {
  let number = 0;
  return swappingWriter(caller, name, await givenNote(caller, `${name} begins`), () => {
    number += 1;
    const content = `${name} ${number} ${"פתק note ".repeat(10)}`.trim();
    return { method: "PUT", path: "", body: { content }, content };
  });
}

const TASKS = 8;

export async function taskWriter(caller: Caller, name: string): Promise<Writer> {
  const content = Array.from({ length: TASKS }, (_, i) => `- [ ] ${name} task ${i}`).join("\n");
  let number = 0;
  return swappingWriter(caller, name, await givenNote(caller, content), (before) => {
    const index = number++ % TASKS;
    const ticked = required(setTask(before, index, true));
    const checked = ticked.changed;
    const after = checked ? ticked.content : required(setTask(before, index, false)).content;
    return { method: "POST", path: "/task", body: { index, checked }, content: after };
  });
}

type Reminder = { status: string; ack_at: unknown; remind_at: string } | null;
type Wanted = { status: string; remind_at?: string };
type Step = { path: string; body: Record<string, unknown>; status: "pending" | "acknowledged" };

/** Set, mark as seen when due, postpone, mark as seen at any time, and again. */
const listSteps = (id: string): ((current: Wanted) => Step)[] => [
  () => ({ path: `/note/${id}/reminder`, body: { preset: "1h", tz: "UTC" }, status: "pending" }),
  ({ remind_at }) => ({
    path: "/reminders/ack",
    body: { note_id: id, ...(remind_at ? { remind_at } : {}) },
    status: "acknowledged",
  }),
  () => ({ path: `/note/${id}/snooze`, body: { minutes: 30 }, status: "pending" }),
  () => ({ path: "/reminders/ack", body: { note_id: id }, status: "acknowledged" }),
];

export async function reminderWriter(caller: Caller, name: string): Promise<Writer> {
  const { id } = await givenNote(caller, `${name} reminds`);
  const steps = listSteps(id);
  let current: Wanted | null = null;
  let doubtful: Step | null = null;
  let stepNumber = 0;

  /** Both fields agree, and state the last acknowledged value or the one requested after it. */
  const differs = (actual: Reminder): string | null => {
    if (actual && (actual.status === "acknowledged") !== (actual.ack_at !== null))
      return `half written: ${actual.status} with ack_at ${actual.ack_at}`;
    const moment = (date: string) => new Date(date).getTime();
    const isKnown = current
      ? actual?.status === current.status &&
        (!current.remind_at || moment(actual.remind_at) === moment(current.remind_at))
      : actual === null;
    return isKnown || (doubtful && actual?.status === doubtful.status)
      ? null
      : `is ${JSON.stringify(actual)}`;
  };
  const settle = async (): Promise<boolean> => {
    const answer = await caller.call("GET", `${NOTES}/note/${id}/reminder`);
    if (!acknowledged(answer, `reading the reminder of ${name}`)) return false;
    const stored = answer.body.reminder as Reminder;
    const wrong = differs(stored);
    if (wrong) throw new Error(wrong);
    const happened = stored?.status === doubtful?.status;
    if (stored) current = stored;
    if (happened) stepNumber += 1;
    doubtful = null;
    return true;
  };

  return {
    name,
    async write() {
      if (doubtful && !(await settle())) return false;
      const step = itemAt(steps, stepNumber % steps.length)(current ?? { status: "none" });
      doubtful = step;
      const answer: Answer | null = await caller.call("POST", `${NOTES}${step.path}`, step.body);
      if (!acknowledged(answer, `${name} at ${step.path}`)) return false;
      const remind_at = (answer.body.remind_at as string | undefined) ?? current?.remind_at;
      current = { status: step.status, remind_at };
      doubtful = null;
      stepNumber += 1;
      return true;
    },
    async audit(db) {
      const doc = await db.reminders.findOne({ _id: new ObjectId(id) });
      const wrong = differs(doc && { ...doc, remind_at: doc.remind_at.toISOString() });
      return wrong ? [`the reminder of ${name} ${wrong}`] : [];
    },
  };
}
