import type { ObjectId } from "mongodb";
import type { DeadProperty } from "#domain/files/dead-property.ts";
import type { FileFields } from "#domain/files/file-schema.ts";

export type FileDoc = FileFields & {
  _id: ObjectId;
  user_id: string;
  /** The sort key of the name (`toNameOrder`); written with every `file_name`. */
  name_order: string;
  /** The search keys of the tags (`toTagKey`), each once; written with all `tags`. */
  tag_keys: string[];
  /** Missing or null at the root. */
  folder_id?: string | null;
  /** The highest number ever taken; `version` follows it after the text is written. */
  last_version: number;
  size_bytes: number;
  lines: number;
  /** One of a person's few pin slots; unique, so that no race pins too many files. */
  pin_slot?: number;
  created_at: Date;
  updated_at: Date;
  last_opened_at: Date | null;
  deleted_at: Date | null;
  expires_at: Date | null;
  /** The record expires at its date; set once every version and text has that date, too. */
  expiring?: boolean;
  /** Hidden while an import adds its texts; it expires if the import does not finish in time. */
  importing?: true;
  /** Properties set by WebDAV clients; `revision` counts the changes. */
  dead_properties?: { revision: number; list: DeadProperty[] };
  /** When the client last wrote a version, if it said so. */
  client_modified?: { version: number; at: Date };
  /** The number of this state of the file in the search index. */
  n?: number;
  /** Set by each change of searched fields until the index contains it. */
  unindexed?: string;
};

/** One saved version of a file. Its text is in `file_bodies`, so that lists never load it. */
export type VersionDoc = {
  _id: ObjectId;
  file_id: ObjectId;
  user_id: string;
  version: number;
  file_name: string;
  language: string;
  size_bytes: number;
  lines: number;
  created_at: Date;
  /** While the file is in the trash: when this is deleted. */
  expires_at?: Date;
};

/** Keyed by file and version: a text is written once and only read by its key. */
export type BodyDoc = { _id: string; user_id: string; body: string; expires_at?: Date };

export type DayTally = { day: string; files: number; bytes: number; lines: number };

/** `at` is the last number assigned before the files were read. */
export type TallyDoc = { _id: string; at: number; days: DayTally[] };

export type UsageDoc = {
  _id: string;
  bytes: number;
  /** Increased by every change, so that a recount notices changes in between. */
  changes: number;
  /** When bytes were last reserved. They are stored soon after or never. */
  stored_at?: Date;
  /** Active deletions. Those of dead processes are dropped after an hour. */
  deleting?: { id: string; at: Date }[];
  counted_at: Date;
  /** Uploads in the minute of the last one. */
  upload_minute?: number;
  uploads?: number;
};
