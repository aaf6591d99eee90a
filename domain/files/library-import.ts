import type { CodeReport } from "#domain/files/code-zip.ts";
import type { RecordKind } from "#domain/files/export-format.ts";
import { mapKeys } from "#domain/typed-keys.ts";

/** The import of a library zip: its states, what it reports, and every reason it refuses a zip. */
export type ImportState =
  | "receiving"
  | "checking"
  | "checked"
  | "importing"
  | "done"
  | "refused"
  | "failed"
  | "cancelled";

/** A worker has it, or will take it. */
export const WORKING_STATES = ["checking", "importing"] as const satisfies ImportState[];
export type WorkingState = (typeof WORKING_STATES)[number];

export const isWorking = (state: ImportState): state is WorkingState =>
  WORKING_STATES.some((working) => working === state);

/** What became of one record: it was added, it was here, or there is no room or place for it. */
export type Outcome = "added" | "here" | "left";
export type Tally = Record<Outcome, number>;

export const REPORTED_KINDS = ["files", "versions", "boards", "notes", "reminders"] as const;
type ReportedKind = RecordKind | "versions";

/**
 * What an import does, or would do, to each kind of record; `renamed` files get a number after their name, and `trashed` ones
 * are in the trash here though not in the zip. A zip of code is no export: it was made at no known moment, and `code` says
 * where its files go and which stay out.
 */
export type ImportReport = {
  made_at: Date | null;
  kinds: Record<ReportedKind, Tally>;
  renamed: number;
  trashed?: number;
  code?: CodeReport;
};

export function createReport(made_at: Date | null): ImportReport {
  const none = (): Tally => ({ added: 0, here: 0, left: 0 });
  const kinds = { files: none(), versions: none(), boards: none(), notes: none(), reminders: none() };
  return { made_at, kinds, renamed: 0 };
}

/** The report of several attempts together. The last attempt counts what earlier ones added as already here. */
export function sumAttempts(plan: ImportReport, last: ImportReport): ImportReport {
  const sum = (kind: ReportedKind): Tally => {
    const { added, here, left } = last.kinds[kind];
    const before = Math.min(here, plan.kinds[kind].here);
    return { added: added + here - before, here: before, left };
  };
  const kinds = mapKeys(REPORTED_KINDS, sum);
  return { ...last, kinds, renamed: Math.max(plan.renamed, last.renamed) };
}

/** How far a worker is with one kind of record. */
export type ImportProgress = { kind: RecordKind; processed: number; total: number | null };

/** How many records of each kind a zip says it has. */
export type RecordCounts = Partial<Record<RecordKind, number>>;

/**
 * How far an import is with a kind, in the numbers of its plan: what it has added of what the plan adds. Where nothing is planned for
 * the kind, or the zip is only checked, how many were read of those the zip has.
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
    const { added } = sumAttempts(plan, report).kinds[kind];
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

/** Why a zip is refused, and where in it: the entry, the record in it counted from one, the field of the record. */
export type Damage = {
  why: DamageReason;
  entry?: string;
  record?: number;
  field?: string;
};

/** Why an import ended early although its zip may be valid, in English. */
export const IMPORT_FAILURE_MESSAGES = {
  too_long: "The import took too long.",
  library_full: "Your library is full. Empty the trash, then import again.",
  worker_lost: "The worker stopped several times while reading this zip.",
  zip_gone: "The zip is no longer stored. Choose it again.",
  fault: "Something went wrong. Try again later.",
} as const;
export type ImportFailure = keyof typeof IMPORT_FAILURE_MESSAGES;

export const ZIP_MAX_BYTES = 256 * 1024 * 1024;
/** The zip and what surrounds it in a form. */
export const IMPORT_FORM_MAX_BYTES = ZIP_MAX_BYTES + 1024 * 1024;
/** How many workers may end while they read one zip before it is given up, because the zip may be the cause. */
export const IMPORT_ATTEMPTS_MAX = 3;
