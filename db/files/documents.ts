import type { ObjectId } from "mongodb";
import type { DeadProperty } from "#domain/dav/dead-property.ts";
import type { FileFields } from "#domain/files/file-schema.ts";

export type FileDoc = FileFields & {
  _id: ObjectId;
  user_id: string;
  /** Where its name stands in a list by names (`toNameOrder`); written with every `file_name`. */
  name_order: string;
  /** What its tags are found by (`toTagKey`), each once; written with all `tags`. */
  tag_keys: string[];
  /** The folder it is in; none, or null, at the root. */
  folder_id?: string | null;
  /** The highest number ever taken; `version` follows it once the body stands. */
  last_version: number;
  size_bytes: number;
  lines: number;
  /** Which of a person's few places for pins it has; unique among them, so that no race makes one too many. */
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
  /** What WebDAV clients keep on it; `revision` counts the changes. */
  dead_properties?: { revision: number; list: DeadProperty[] };
  /** When a version was written on the client that sent it, where that said so. */
  client_modified?: { version: number; at: Date };
  /** The number under which the search index names this state of the file. */
  n?: number;
  /** Set by each change to what the file is found by, until the index names it. */
  unindexed?: string;
};

/** What one saving of a file was. Its text is kept apart, in `file_bodies`, so that lists never load it. */
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
  /** While the file is in the trash: when this goes for good. */
  expires_at?: Date;
};

/** Keyed by file and version: a body is written once and read by its key alone. */
export type BodyDoc = { _id: string; user_id: string; body: string; expires_at?: Date };

export type DayTally = { day: string; files: number; bytes: number; lines: number };

/** `at` is the last number given out before anything of it was read. */
export type TallyDoc = { _id: string; at: number; days: DayTally[] };

export type UsageDoc = {
  _id: string;
  bytes: number;
  /** Raised by every change, so that a count sees whether something happened meanwhile. */
  changes: number;
  /** When bytes were last reserved; whoever reserved them has stored them soon after, or never. */
  stored_at?: Date;
  /** Work that deletes right now. What a dead process left is dropped after an hour. */
  deleting?: { id: string; at: Date }[];
  counted_at: Date;
  /** Uploads in the minute that the last one fell into. */
  upload_minute?: number;
  uploads?: number;
};
