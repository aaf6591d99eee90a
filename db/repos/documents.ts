import type { ObjectId } from "mongodb";
import type { RepoFileKind, SyncError } from "#domain/repos/repo.ts";
import type { RepoAnalysis } from "#domain/repos/repo-analysis.ts";

/**
 * The mirrors of a person. The record contains the address and the result of the last sync; the files are in `repo_files` and their texts
 * in `repo_texts`. Everything that a page shows is stored here, because only the worker that synced has the mirror itself.
 */
export type RepoDoc = {
  _id: ObjectId;
  user_id: string;
  /** A number below the limit, while it is mirrored. */
  slot?: number;
  repo_name: string;
  /** Present while it is mirrored; unique among a person's. */
  named?: string;
  url: string;
  /** The common form of all spellings of the address. */
  url_key: string;
  /** The token for the remote, encrypted. */
  sealed_token: string | null;
  branch: string | null;
  /** The commit whose files are stored; null before the first sync and for an empty repository. */
  head: string | null;
  /** The commit whose files are being written. While it is set, files of both commits may exist. */
  pending_head?: string | null;
  files: number;
  bytes: number;
  /** The bytes of its texts, set before they are written; they count towards the owner's limit. */
  text_bytes?: number;
  /** The number of paths of the tree that are not stored. */
  skipped: number;
  created_at: Date;
  /** The last sync that succeeded. */
  last_sync_time: Date | null;
  error: SyncError | null;
  failures: number;
  next_sync_at: Date;
  /** When a sync was last requested. */
  wanted_at: Date;
  sync_run_id: string | null;
  import_run_id: string | null;
  analysis_run_id: string | null;
  /** Set by the run that syncs, and renewed by it. The lease of a dead worker does not count. */
  lease?: { holder: string; worker_id: string; until: Date };
  /** Until then an import is active; two at once would import every file twice. */
  importing_until?: Date;
  removed_at?: Date;
};

/** A file of a mirror's newest commit, with the ids of the mirror and its owner. */
export type RepoFileDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  path: string;
  /** The directory of the file; empty for the root. */
  dir: string;
  blob: string;
  size: number;
  language: string;
  kind: RepoFileKind;
  /** The number of this state of the file in the search index. */
  n?: number;
  /** The index does not contain this state, so searches read the file itself. */
  unindexed?: true;
};

export type RepoFolderDoc = { _id: ObjectId; repo_id: ObjectId; user_id: string; path: string; dir: string };

/** A text by its hash, under `<repo>:<blob>`: files with the same text share it, mirrors do not. */
export type RepoTextDoc = { _id: string; repo_id: ObjectId; user_id: string; text: string };

/** A file that a sync recognised under another path. */
export type RepoRenameDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  from: string;
  to: string;
  commit: string;
  at: Date;
};

/** One of the newest commits with the paths that it touched; its `_id` is `<repo>:<commit>`. */
export type RepoCommitDoc = {
  _id: string;
  repo_id: ObjectId;
  user_id: string;
  commit: string;
  author: string;
  at: Date;
  subject: string;
  paths: string[];
  /** The number of touched paths, including those that are not listed. */
  touched: number;
};

/** The result of a mirror's last analysis, under the mirror's id. */
export type RepoAnalysisDoc = {
  _id: ObjectId;
  user_id: string;
  head: string | null;
  analysed_at: Date;
  analysis: RepoAnalysis;
};

/** Processed deliveries of the code host; a repeated one is recognised by its id. */
export type WebhookDeliveryDoc = { _id: string; received_at: Date };
