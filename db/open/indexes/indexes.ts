import { ACCOUNT_INDEXES } from "#db/accounts/indexes.ts";
import { ALERT_INDEXES } from "#db/alerts/indexes.ts";
import { RUN_INDEXES } from "#db/code-runs/indexes.ts";
import type { CollectionName } from "#db/collections.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { DAV_INDEXES } from "#db/dav/indexes.ts";
import { EVENT_INDEXES } from "#db/events/indexes.ts";
import { FOLDER_INDEXES } from "#db/files/folders/indexes.ts";
import { FILE_INDEXES } from "#db/files/indexes.ts";
import { JOB_INDEXES } from "#db/jobs/indexes.ts";
import { LIBRARY_IMPORT_INDEXES } from "#db/library-zip/indexes.ts";
import { BOARD_INDEXES } from "#db/notes/boards/indexes.ts";
import { NOTE_INDEXES } from "#db/notes/indexes.ts";
import { REMINDER_INDEXES } from "#db/reminders/indexes.ts";
import { PUSH_INDEXES } from "#db/reminders/push/indexes.ts";
import { REPO_INDEXES } from "#db/repos/indexes.ts";
import { SEARCH_INDEXES } from "#db/segments/indexes.ts";
import { SHARE_INDEXES } from "#db/shares/indexes.ts";

/**
 * Every index of the product's queries; each noun has its own table. A filter without an index does not belong in a store function, and an
 * index without a function does not belong in a table. If several indexes could serve a query, the function names one (`hint`).
 */
export const INDEXES: Record<CollectionName, readonly IndexSpec[]> = {
  ...ACCOUNT_INDEXES,
  ...ALERT_INDEXES,
  ...BOARD_INDEXES,
  ...RUN_INDEXES,
  ...DAV_INDEXES,
  ...EVENT_INDEXES,
  ...FILE_INDEXES,
  ...FOLDER_INDEXES,
  installation: [],
  ...JOB_INDEXES,
  ...LIBRARY_IMPORT_INDEXES,
  ...NOTE_INDEXES,
  ...PUSH_INDEXES,
  ...REMINDER_INDEXES,
  ...REPO_INDEXES,
  ...SEARCH_INDEXES,
  ...SHARE_INDEXES,
};
