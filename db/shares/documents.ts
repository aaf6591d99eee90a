import type { ObjectId } from "mongodb";
import type { FileDoc } from "#db/files/documents.ts";
import type { ShareMode } from "#domain/shares/share.ts";
import type { LineRange } from "#domain/text/line-range.ts";

/**
 * What people have made public. A share names a version of a file, with the name and language the file had, and holds no text: versions
 * never change, so it always shows the same, and nothing of a file outlives it here. Whether the file is in the trash is asked of the
 * file. Nothing is kept about who looks; a view is a number that grows by one.
 */
export type ShareDoc = {
  /** What the address ends in: whoever knows it may look. */
  _id: string;
  kind: ShareKind;
  user_id: string;
  /** Which of a person's places it has; unique among them. */
  slot: number;
  files: SharedFileDoc[];
  /** Where it is a link to a folder. One that follows it has no files here: they are looked up when it is opened. */
  folder?: SharedFolder;
  mode: ShareMode;
  lines: LineRange | null;
  password: string | null;
  views: number;
  /** How often it can still be opened; null for as often as anyone likes. */
  views_left: number | null;
  created_at: Date;
  expires_at: Date | null;
  /** While its one file is in the trash: when both go for good. */
  bin_expires_at?: Date;
  /** What the form that asked for it said; the same form sent twice is one share. */
  once?: string;
  /** Wrong passwords, and the minute in which they were tried. */
  tries?: { minute: number; count: number };
  /** When the password was last given. */
  opened_at?: Date;
  /** Raised to ask everyone for the password again; absent for zero. */
  key_epoch?: number;
};

type SharedFolder = {
  id: string;
  name: string;
  follows: boolean;
  /** Whether it shows files that may hold secrets, too. */
  with_secrets?: boolean;
};

/** One file at `/share/<id>`, or several at `/shared/<token>`. */
export type ShareKind = "file" | "link";

export type SharedFileDoc = Pick<FileDoc, "version" | "file_name" | "language" | "size_bytes" | "lines"> & {
  file_id: ObjectId;
  /** What a link's addresses name it by, from 1; it stays when others go. */
  place: number;
  /** Where it is within the folder of a link. */
  path?: string;
};
