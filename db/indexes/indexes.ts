import { ACCOUNT_INDEXES } from "#db/accounts/indexes.ts";
import { ALERT_INDEXES } from "#db/alerts/indexes.ts";
import { BOARD_INDEXES } from "#db/boards/indexes.ts";
import { RUN_INDEXES } from "#db/code-runs/indexes.ts";
import type { CollectionName } from "#db/collections.ts";
import { DAV_INDEXES } from "#db/dav/indexes.ts";
import { EVENT_INDEXES } from "#db/events/indexes.ts";
import { FILE_INDEXES } from "#db/files/indexes.ts";
import { FOLDER_INDEXES } from "#db/folders/indexes.ts";
import type { IndexSpec } from "#db/indexes/index-table.ts";
import { INSTALLATION_INDEXES } from "#db/installation/indexes.ts";
import { JOB_INDEXES } from "#db/jobs/indexes.ts";
import { LIBRARY_IMPORT_INDEXES } from "#db/library-zip/indexes.ts";
import { NOTE_INDEXES } from "#db/notes/indexes.ts";
import { PUSH_INDEXES } from "#db/push/indexes.ts";
import { REMINDER_INDEXES } from "#db/reminders/indexes.ts";
import { REPO_INDEXES } from "#db/repos/indexes.ts";
import { SEARCH_INDEXES } from "#db/search/indexes.ts";
import { SHARE_INDEXES } from "#db/shares/indexes.ts";

/**
 * Every index the product's queries stand on; each noun has a table of its own. A filter that no row serves does not belong in a
 * store verb, and a row that no verb needs does not belong in a table. Where several rows could serve a query, the verb names one of
 * them (`hint`).
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
  ...INSTALLATION_INDEXES,
  ...JOB_INDEXES,
  ...LIBRARY_IMPORT_INDEXES,
  ...NOTE_INDEXES,
  ...PUSH_INDEXES,
  ...REMINDER_INDEXES,
  ...REPO_INDEXES,
  ...SEARCH_INDEXES,
  ...SHARE_INDEXES,
};
