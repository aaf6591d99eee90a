import type { VerbRow } from "./verb-row.ts";
import { DAV_VERBS } from "./verbs/dav.ts";
import { FILE_VERBS } from "./verbs/files.ts";
import { FOLDER_VERBS } from "./verbs/folders.ts";
import { IMPORT_VERBS } from "./verbs/imports.ts";
import { JOB_VERBS } from "./verbs/jobs.ts";
import { MIRROR_VERBS } from "./verbs/mirrors.ts";
import { NOTE_VERBS } from "./verbs/notes.ts";
import { PEOPLE_VERBS } from "./verbs/people.ts";
import { PUSH_VERBS } from "./verbs/pushes.ts";
import { REPO_VERBS } from "./verbs/repos.ts";
import { TRASH_VERBS } from "./verbs/trash.ts";

export const VERB_ROWS: Record<string, VerbRow> = {
  ...FILE_VERBS,
  ...FOLDER_VERBS,
  ...DAV_VERBS,
  ...TRASH_VERBS,
  ...NOTE_VERBS,
  ...REPO_VERBS,
  ...MIRROR_VERBS,
  ...PEOPLE_VERBS,
  ...PUSH_VERBS,
  ...JOB_VERBS,
  ...IMPORT_VERBS,
};
