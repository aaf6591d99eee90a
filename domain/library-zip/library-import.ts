import type { CodeReport } from "#domain/library-zip/code-zip.ts";
import type { RecordKind } from "#domain/library-zip/export-format.ts";
import { mapKeys } from "#domain/typed-keys.ts";

/** The import of a library zip: its states, its report and the reasons to refuse a zip. */
export type ImportState =
  | "receiving"
  | "checking"
  | "checked"
  | "importing"
  | "done"
  | "refused"
  | "failed"
  | "cancelled";

/** The states in which a worker processes the import, or will. */
export const WORKING_STATES = ["checking", "importing"] as const satisfies ImportState[];
export type WorkingState = (typeof WORKING_STATES)[number];

export const isWorking = (state: ImportState): state is WorkingState =>
  WORKING_STATES.some((working) => working === state);

/** A record was added, existed already, or was left out for lack of room or a target. */
export type Outcome = "added" | "here" | "left";
export type Tally = Record<Outcome, number>;

export const REPORTED_KINDS = ["files", "versions", "boards", "notes", "reminders"] as const;
type ReportedKind = RecordKind | "versions";

/**
 * The changes of an import, done or planned, per kind of record. `renamed` files get a number after their name; `trashed` ones are in the
 * trash here but not in the zip. A zip of code has no export date; `code` says where its files go and which are left out.
 */
export type ImportReport = {
  made_at: Date | null;
  kinds: Record<ReportedKind, Tally>;
  renamed: number;
  trashed?: number;
  code?: CodeReport;
};

export function createReport(made_at: Date | null): ImportReport {
  const empty = (): Tally => ({ added: 0, here: 0, left: 0 });
  const kinds = { files: empty(), versions: empty(), boards: empty(), notes: empty(), reminders: empty() };
  return { made_at, kinds, renamed: 0 };
}

/** Combines the reports of several attempts. The last attempt counts the records added by earlier ones as existing. */
export function mergeAttemptReports(plan: ImportReport, last: ImportReport): ImportReport {
  const sumKind = (kind: ReportedKind): Tally => {
    const { added, here, left } = last.kinds[kind];
    const existedBefore = Math.min(here, plan.kinds[kind].here);
    return { added: added + here - existedBefore, here: existedBefore, left };
  };
  const kinds = mapKeys(REPORTED_KINDS, sumKind);
  return { ...last, kinds, renamed: Math.max(plan.renamed, last.renamed) };
}

export type ImportProgress = { kind: RecordKind; processed: number; total: number | null };

/** The numbers of records that a zip declares. */
export type RecordCounts = Partial<Record<RecordKind, number>>;

/**
 * Measures progress as records added of those planned. If nothing is planned for the kind, or the zip is only checked, it
 * counts the records read.
 */
export function measureProgress(
  kind: RecordKind,
  {
    plan,
    report,
    counts,
    read,
  }: {
    plan: ImportReport | null;
    report: ImportReport;
    counts: RecordCounts;
    read: number;
  },
): ImportProgress {
  const planned = plan?.kinds[kind].added ?? 0;
  if (plan && planned > 0) {
    const { added } = mergeAttemptReports(plan, report).kinds[kind];
    return { kind, processed: Math.min(added, planned), total: planned };
  }
  const total = counts[kind] ?? 0;
  return { kind, processed: read, total: total < read ? null : total };
}

type DamageReason =
  | "not_a_zip"
  | "too_many_entries"
  | "unknown_path"
  | "not_a_file"
  | "unreadable"
  | "too_large"
  | "duplicate"
  | "overlapping"
  | "bomb"
  | "damaged_entry"
  | "missing"
  | "not_json"
  | "not_a_list"
  | "too_deep"
  | "invalid_record"
  | "too_many_records"
  | "duplicate_record"
  | "text_used_twice"
  | "unclaimed"
  | "not_a_text"
  | "too_costly";

/** The reason to refuse a zip, with the entry, the record in it (counted from one) and the field. */
export type Damage = {
  why: DamageReason;
  entry?: string;
  record?: number;
  field?: string;
};

/** The reasons of an import that ended early although its zip may be valid. */
export const IMPORT_FAILURE_MESSAGES = {
  too_long: "The import took too long.",
  library_full: "Your library is full. Empty the trash, then import again.",
  worker_lost: "The worker stopped several times while reading this zip.",
  zip_gone: "The zip is no longer stored. Choose it again.",
  fault: "Something went wrong. Try again later.",
} as const;
export type ImportFailure = keyof typeof IMPORT_FAILURE_MESSAGES;

export const ZIP_MAX_BYTES = 256 * 1024 * 1024;
/** The zip and the rest of its form. */
export const IMPORT_FORM_MAX_BYTES = ZIP_MAX_BYTES + 1024 * 1024;
/** A zip that was being read when this many workers died is given up, because it may be the cause. */
export const IMPORT_ATTEMPTS_MAX = 3;
