import type { ObjectId } from "mongodb";
import type { RepoFileKind, SyncError } from "#domain/repos/repo.ts";
import type { RepoAnalysis } from "#domain/repos/repo-analysis.ts";

/**
 * The mirrors of a person. The record says what is mirrored and how its last sync went; the files it has are in
 * `repo_files`, their texts in `repo_texts`: everything a page shows is here, because only the worker that synced has the mirror itself.
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
  /** What all spellings of the address have in common. */
  url_key: string;
  /** The token for the remote, encrypted. */
  sealed_token: string | null;
  branch: string | null;
  /** The commit whose files are kept; null before the first sync, and of an empty repository. */
  head: string | null;
  /** The commit whose files are being written; files of both may be there while it stands. */
  pending_head?: string | null;
  files: number;
  bytes: number;
  /** The bytes of its texts, from before they are written; counted below the limit of its owner. */
  text_bytes?: number;
  /** Paths of the tree that are not kept. */
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
  /** Held by the run that syncs, and renewed while it does. Nobody holds what a dead worker held. */
  lease?: { holder: string; worker_id: string; until: Date };
  /** Until when one import is at work; two at once would bring every file twice. */
  importing_until?: Date;
  removed_at?: Date;
};

/** What is kept of a mirror's newest commit, all of it under the mirror's id and its owner's. */
export type RepoFileDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  path: string;
  /** The directory it lies in; the root is empty. */
  dir: string;
  blob: string;
  size: number;
  language: string;
  kind: RepoFileKind;
  /** The number under which the search index names this state of the file. */
  n?: number;
  /** The index does not name this state: it is looked through itself. */
  unindexed?: true;
};

export type RepoFolderDoc = { _id: ObjectId; repo_id: ObjectId; user_id: string; path: string; dir: string };

/** A text by its hash, under `<repo>:<blob>`: files with the same text share it, mirrors do not. */
export type RepoTextDoc = { _id: string; repo_id: ObjectId; user_id: string; text: string };

/** A file that a sync found under another path. */
export type RepoRenameDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  from: string;
  to: string;
  commit: string;
  at: Date;
};

/** One of the newest commits and the paths it touched, under `<repo>:<commit>`. */
export type RepoCommitDoc = {
  _id: string;
  repo_id: ObjectId;
  user_id: string;
  commit: string;
  author: string;
  at: Date;
  subject: string;
  paths: string[];
  /** How many paths it touched, those that are not listed included. */
  touched: number;
};

/** What the last analysis of a mirror found, one each, under the mirror's id. */
export type RepoAnalysisDoc = {
  _id: ObjectId;
  user_id: string;
  head: string | null;
  analysed_at: Date;
  analysis: RepoAnalysis;
};

/** Deliveries of the code host that were taken; one that comes again is known by its id. */
export type WebhookDeliveryDoc = { _id: string; received_at: Date };
