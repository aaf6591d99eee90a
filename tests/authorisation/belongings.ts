/** The owner's things, made again for each call that may change them: the names in addresses and their values. */

import { createOrReplaceFeed } from "#db/accounts/feeds.server.ts";
import { listFiringAlerts } from "#db/alerts/alert-life.server.ts";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { createAnnouncement } from "#db/alerts/announcements.server.ts";
import { createRun } from "#db/jobs/job-runs.server.ts";
import { setAnalysis } from "#db/repos/repo-analyses.server.ts";
import { analyseRepo } from "#domain/repos/repo-analysis.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import type { TestWeb, Visitor } from "#tests/support/web.ts";
import { OWNER_ID } from "./callers.ts";

export type Names = Record<string, string>;
type Maker = (owner: Visitor, web: TestWeb) => Promise<Names>;

let count = 0;

async function file(owner: Visitor, extension = "py", body = "print(1)\n"): Promise<string> {
  count += 1;
  const answer = await owner.ask(`/api/files/owned-${count}.${extension}`, { method: "PUT", body });
  return (await answer.json()).file_id;
}

async function sent(owner: Visitor, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await owner.ask(path, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function folder(owner: Visitor): Promise<Names> {
  count += 1;
  const answer = await sent(owner, "/api/folders", { name: `Folder ${count}` });
  const { id } = answer.folder as { id: string };
  return { folder_id: id, id };
}

async function note(owner: Visitor): Promise<Names> {
  const fileId = await file(owner);
  const { id } = await sent(owner, `/api/sticky-notes/${fileId}`, { content: "- [ ] one", line_start: 1 });
  return { note_id: String(id), id: String(id) };
}

async function repo(owner: Visitor): Promise<Names> {
  count += 1;
  const name = `matrix/repo-${count}`;
  await sent(owner, "/api/repos", { url: `https://example.org/matrix/${count}.git`, name });
  const path = encodeURIComponent(name);
  const { run_id } = await sent(owner, `/api/repos/${path}/sync`, {});
  return { repo_name: path, name: path, run_id: String(run_id) };
}

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>\n';

export const MAKERS = {
  nothing: async () => {
    count += 1;
    return { file_name: `put-${count}.txt`, path: `put-${count}.txt` };
  },
  file: async (owner) => {
    const id = await file(owner);
    return { file_id: id, id, file_name: `owned-${count}.py`, path: `owned-${count}.py` };
  },
  folder,
  trashedFolder: async (owner) => {
    const names = await folder(owner);
    await owner.ask(`/api/folders/${names.folder_id}`, { method: "DELETE" });
    return names;
  },
  page: async (owner) => ({ id: await file(owner, "html", "<h1>One</h1>\n") }),
  drawing: async (owner) => ({ id: await file(owner, "svg", DRAWING) }),
  document: async (owner) => ({ id: await file(owner, "md", "# One\n") }),
  versions: async (owner) => {
    const id = await file(owner, "txt", "one\n");
    await owner.ask(`/api/files/owned-${count}.txt`, { method: "PUT", body: "two\n" });
    return { file_id: id, id };
  },
  trashed: async (owner) => {
    const id = await file(owner);
    await owner.ask(`/api/file/${id}/trash`, { method: "POST" });
    return { file_id: id, id };
  },
  note,
  reminded: async (owner) => {
    const names = await note(owner);
    await sent(owner, `/api/sticky-notes/note/${names.note_id}/reminder`, { preset: "1h" });
    return names;
  },
  board: async (owner) => {
    count += 1;
    const { board } = await sent(owner, "/api/note-boards", { name: `Board ${count}` });
    const { id } = board as { id: string };
    return { board_id: id, id };
  },
  boardNote: async (owner) => {
    count += 1;
    const board = async (name: string) =>
      ((await sent(owner, "/api/note-boards", { name })).board as { id: string }).id;
    const [from, to] = [await board(`From ${count}`), await board(`To ${count}`)];
    const { id } = await sent(owner, `/api/sticky-notes/board/${from}`, { content: "to move" });
    return { note_id: id as string, board_id: to };
  },
  goneNote: async (owner) => {
    const names = await note(owner);
    await owner.ask(`/api/sticky-notes/note/${names.note_id}`, { method: "DELETE" });
    return names;
  },
  editedNote: async (owner) => {
    const names = await note(owner);
    const path = `/api/sticky-notes/note/${names.note_id}`;
    await owner.ask(path, { method: "PUT", body: JSON.stringify({ content: "changed" }) });
    const { contents } = await (await owner.ask(`${path}/history`)).json();
    return { ...names, updated_at: contents[0].updated_at };
  },
  announcement: async (_, { db, clock }) => {
    const { id } = await createAnnouncement(db, { text: "News", link: null }, clock());
    return { announcement_id: id };
  },
  alert: async (_, { db, clock }) => {
    const alarm = { rule: "job_failed", subject: "x", severity: "error", summary: "", metadata: {} } as const;
    await raiseAlert(db, alarm, clock());
    const [alert] = await listFiringAlerts(db);
    return { alert_uid: required(alert).alert_uid };
  },
  run: async (_, { db, clock }) => {
    const { run_id, job_id } = await createRun(db, "trash_check", "manual", clock());
    return { run_id, job_id };
  },
  repo,
  analysed: async (owner, { db, clock }) => {
    const names = await repo(owner);
    const { _id, user_id } = required(
      await db.repos.findOne({ named: decodeURIComponent(required(names.repo_name)) }),
    );
    const analysis = analyseRepo({ files: [], texts: new Map(), commits: [] });
    await setAnalysis(db, { _id, user_id, head: null, analysed_at: clock(), analysis });
    return names;
  },
  feed: async (owner, { db, clock }) => {
    const { secret } = orThrow(await createOrReplaceFeed(db, newOwner(owner.id), clock()));
    return { secret, name: "reminders.ics" };
  },
  share: async (owner) => {
    const { share_id } = await sent(owner, `/api/share/${await file(owner)}`, {});
    return { share_id: String(share_id), id: String(share_id), form: "raw" };
  },
  link: async (owner) => {
    const file_ids = [await file(owner), await file(owner)];
    const { share_url } = await sent(owner, "/api/files/create-share-link", { file_ids });
    const token = required(new URL(String(share_url)).pathname.split("/").at(-1));
    return { token, place: "1", form: "raw" };
  },
} satisfies Record<string, Maker>;

export type Belonging = keyof typeof MAKERS;

type Owned = { find(filter: object): { toArray(): Promise<unknown[]> }; deleteMany(filter: object): unknown };

/** One thing of each kind, for calls that change nothing. */
export async function makeOneOfEach(owner: Visitor, web: TestWeb): Promise<Record<Belonging, Names>> {
  const things: Partial<Record<Belonging, Names>> = {};
  for (const [kind, make] of Object.entries(MAKERS)) things[kind as Belonging] = await make(owner, web);
  return things as Record<Belonging, Names>;
}

function ownedCollections({ db }: Pick<TestWeb, "db">): Owned[] {
  const { files, file_bodies, notes, boards, reminders, shares, repos } = db;
  return [files, file_bodies, notes, boards, reminders, shares, repos];
}

export async function readBelongings(web: TestWeb, user_id: string): Promise<string> {
  const lists = ownedCollections(web).map((collection) => collection.find({ user_id }).toArray());
  return JSON.stringify(await Promise.all(lists));
}

export async function clearBelongings(store: Pick<TestWeb, "db">, user_id = OWNER_ID): Promise<void> {
  await Promise.all(ownedCollections(store).map((collection) => collection.deleteMany({ user_id })));
}
