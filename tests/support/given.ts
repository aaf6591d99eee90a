/** The set-up of tests in a word each, made by the product's own verbs: `given.file("70", "a.py", "x = 1\n")`. */
import { type AccessToken, createToken } from "#db/accounts/tokens.server.ts";
import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { createFolder } from "#db/files/folders/folders.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { type BoardRecord, createBoard } from "#db/notes/boards/boards.server.ts";
import { createNote, type NoteRecord } from "#db/notes/notes.server.ts";
import { type Reminder, setReminder } from "#db/reminders/reminders.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import type { Folder } from "#domain/files/folders/folder-tree.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { checkNewNote, type NoteFields } from "#domain/notes/note-schema.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

export type Given = ReturnType<typeof createGiven>;

export const onFile = ({ id }: { id: string }) => ({ kind: "file", file_id: id }) as const;
export const onBoard = ({ id }: { id: string }) => ({ kind: "board", board_id: id }) as const;

/** An id that no file, note, board or share has. */
export const ABSENT_ID = "0".repeat(24);

const REPO_FILE: NoteTarget = { kind: "repo", repo_name: "dana/tools", repo_path: "src/main.py" };
let people = 10_000;

/** The id of a new person, for one test only. */
export const newPersonId = (): string => String(people++);

export function createGiven(db: Db, clock: () => Date) {
  return {
    /** A file of this owner; each text after the first is a new version of it. */
    async file(owner: string, file_name: string, ...texts: string[]): Promise<FileRecord> {
      let saved = orThrow(await saveFile(db, owner, { file_name, body: texts[0] ?? "x\n" }, clock()));
      for (const body of texts.slice(1))
        saved = orThrow(await saveFile(db, owner, { file_name, body }, clock()));
      return saved.file;
    },
    /** A file with all its fields, saved at `now`. */
    async saved(owner: string, input: FileToSave, now = clock()): Promise<FileRecord> {
      return orThrow(await saveFile(db, owner, input, now)).file;
    },
    /** A file at a path, with its folders. */
    async path(owner: string, path: string, body = "x\n"): Promise<FileRecord> {
      const folders = path.split("/");
      const file_name = required(folders.pop());
      return orThrow(await putFile(db, owner, { file_name, folders, body }, clock())).file;
    },
    async trashed(owner: string, file_name: string, ...texts: string[]): Promise<FileRecord> {
      const file = await this.file(owner, file_name, ...texts);
      orThrow(await trashFile(db, owner, file.id, clock()));
      return file;
    },
    async folder(owner: string, name: string, parent_id: string | null = null): Promise<Folder> {
      return orThrow(await createFolder(db, owner, { name, parent_id }, clock()));
    },
    async note(owner: string, fields: Partial<NoteFields> = {}, target = REPO_FILE): Promise<NoteRecord> {
      const draft = orThrow(checkNewNote(fields));
      return orThrow(
        await createNote(db, owner, { target, fields: draft, quota: { maxPerUser: 100_000 }, now: clock() }),
      );
    },
    async board(owner: string, name: string): Promise<BoardRecord> {
      return orThrow(await createBoard(db, owner, name, clock()));
    },
    async token(
      owner: string,
      scope: TokenScope = "write",
      lifetimeDays: number | null = null,
    ): Promise<{ token: AccessToken; secret: string }> {
      const wish = { name: "a script", scope, lifetimeDays };
      return orThrow(await createToken(db, newOwner(owner), wish, clock()));
    },
    /** A note with a reminder at this moment. */
    async reminder(owner: string, remindAt: Date, fields: Partial<NoteFields> = {}): Promise<Reminder> {
      const target: NoteTarget = { ...REPO_FILE, repo_path: `${newPersonId()}.py` } as NoteTarget;
      return setReminder(db, owner, await this.note(owner, fields, target), remindAt, clock());
    },
  };
}
