/** Concurrent writers on one note: its content, its tasks and its reminder. */

import { ObjectId } from "mongodb";
import { HISTORY_MAX } from "#db/notes/notes.server.ts";
import { setTask } from "#domain/notes/note-tasks.ts";
import { itemAt, required } from "#domain/required.ts";
import type { Caller } from "#tests/crash/caller.ts";
import { givenNote } from "#tests/crash/note-writers.ts";
import { compete, expected, type Field, type Outcome, orderSteps, type Size, type Step } from "./field.ts";

const NOTES = "/api/sticky-notes";
type Note = { content: string; updated_at: string };
type Written = Step & { content: string };

/** Each writer replaces the last content it read; after a conflict it continues from the current content. */
async function swap(
  field: Field,
  size: Size,
  name: string,
  content: string,
  change: (caller: Caller, id: string, current: Note, number: number) => ReturnType<Caller["call"]>,
): Promise<{ outcome: Outcome; first: Note; chain: Written[] }> {
  const first = await givenNote(itemAt(field.callers, 0), content);
  const latest = new Map<number, Note>();
  const steps: Written[] = [];
  await compete(field, size, async (caller, writer, number) => {
    const before = latest.get(writer) ?? first;
    const answer = expected(await change(caller, first.id, before, number), name, 200, 409);
    const note = answer.body.note as Note;
    latest.set(writer, note);
    if (answer.status === 200 && answer.body.changed !== false)
      steps.push({ from: before.updated_at, to: note.updated_at, content: note.content });
  });
  const doc = required(await field.db.notes.findOne({ _id: new ObjectId(first.id) }));
  const stored = steps.find(({ to }) => new Date(to).getTime() === doc.updated_at.getTime());
  const chain = orderSteps(steps, first.updated_at, stored?.to ?? "");
  const outcome = { name, tries: size.tries, acknowledged: steps.length, wrong: [] as string[] };
  if (typeof chain === "string") return { outcome: { ...outcome, wrong: [chain] }, first, chain: [] };
  const contents = [first.content, ...chain.map((step) => step.content)].slice(-(HISTORY_MAX + 1));
  const kept = [...(doc.history ?? []).map((past) => past.content), doc.content];
  if (contents.join("\0") !== kept.join("\0"))
    outcome.wrong.push("the kept history is another than the answers'");
  return { outcome, first, chain };
}

export async function raceContent(field: Field, size: Size): Promise<Outcome> {
  const name = "one note, its content";
  const { outcome } = await swap(field, size, name, "begins", (caller, id, current, number) =>
    caller.call("PUT", `${NOTES}/note/${id}`, {
      content: `content ${number}`,
      prev_updated_at: current.updated_at,
    }),
  );
  return outcome;
}

const TASKS = 8;

export async function raceTasks(field: Field, size: Size): Promise<Outcome> {
  const content = Array.from({ length: TASKS }, (_, i) => `- [ ] task ${i}`).join("\n");
  const { outcome, first, chain } = await swap(
    field,
    size,
    "one note, its tasks",
    content,
    (caller, id, current, n) =>
      caller.call("POST", `${NOTES}/note/${id}/task`, {
        index: n % TASKS,
        checked: required(setTask(current.content, n % TASKS, true)).changed,
        prev_updated_at: current.updated_at,
      }),
  );
  let before = first.content;
  for (const step of chain) {
    const marks = [...step.content].filter((letter, i) => letter !== before[i]).length;
    if (marks !== 1 || step.content.length !== before.length)
      outcome.wrong.push(`a tick changed ${marks} characters`);
    before = step.content;
  }
  return outcome;
}

/** Marking as seen against postponing: a postponed reminder is pending again, and each moment is seen at most once. */
export async function raceReminder(field: Field, size: Size): Promise<Outcome> {
  const name = "one reminder, seen or put off";
  const { id } = await givenNote(itemAt(field.callers, 0), "reminds");
  const set = await itemAt(field.callers, 0).call("POST", `${NOTES}/note/${id}/reminder`, {
    preset: "1h",
    tz: "UTC",
  });
  const armed = [expected(set, name, 200).body.remind_at as string];
  const seenAt: string[] = [];
  let marked = 0;
  await compete(field, size, async (caller, writer, number) => {
    if (writer % 2 === 0) {
      const minutes = 1 + (number % 1440);
      const answer = await caller.call("POST", `${NOTES}/note/${id}/snooze`, { minutes });
      return void armed.push(expected(answer, name, 200).body.remind_at as string);
    }
    const remind_at = writer % 4 === 1 ? armed.at(-1) : undefined;
    const answer = await caller.call("POST", `${NOTES}/reminders/ack`, { note_id: id, remind_at });
    if (expected(answer, name, 200, 404).status === 404) return;
    marked += 1;
    if (remind_at) seenAt.push(remind_at);
  });
  const wrong: string[] = [];
  const times = (list: string[], moment: string) => list.filter((entry) => entry === moment).length;
  for (const moment of new Set(seenAt))
    if (times(seenAt, moment) > times(armed, moment))
      wrong.push(`${moment} was seen ${times(seenAt, moment)} times`);
  if (marked > armed.length) wrong.push(`seen ${marked} times, set ${armed.length} times`);
  const doc = required(await field.db.reminders.findOne({ _id: new ObjectId(id) }));
  if ((doc.status === "acknowledged") !== (doc.ack_at !== null)) wrong.push("status and ack_at differ");
  if (!armed.some((moment) => new Date(moment).getTime() === doc.remind_at.getTime()))
    wrong.push("its moment is none that was answered");
  return { name, tries: size.tries, acknowledged: armed.length + marked, wrong };
}
