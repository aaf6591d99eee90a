import type { ObjectId } from "mongodb";
import type { FileDoc } from "#db/files/documents.ts";
import type { ShareMode } from "#domain/shares/share.ts";
import type { LineRange } from "#domain/text/line-range.ts";

/**
 * Shares. A share names a version of a file with the file's name and language, and contains no text: versions never change, so
 * it always shows the same, and nothing of a file outlives it here. The file itself tells if it is in the trash. Nothing about
 * visitors is stored; a view only increments a number.
 */
export type ShareDoc = {
  /** The end of the public address; everyone who knows it may open the share. */
  _id: string;
  kind: ShareKind;
  user_id: string;
  slot: number;
  files: SharedFileDoc[];
  /** Only for links to a folder. If the link follows the folder, `files` is empty and the files are looked up when it is opened. */
  folder?: SharedFolder;
  mode: ShareMode;
  lines: LineRange | null;
  password: string | null;
  views: number;
  /** The remaining views; null for unlimited. */
  views_left: number | null;
  created_at: Date;
  expires_at: Date | null;
  /** Set while its single file is in the trash: when both are deleted. */
  bin_expires_at?: Date;
  /** The token of the form; a form that is sent twice makes one share. */
  once?: string;
  /** Wrong passwords in the given minute. */
  tries?: { minute: number; count: number };
  /** When the password was last entered. */
  opened_at?: Date;
  /** Raised to ask everyone for the password again; absent for zero. */
  key_epoch?: number;
};

type SharedFolder = {
  id: string;
  name: string;
  follows: boolean;
  /** True if it also shows files that may hold secrets. */
  with_secrets?: boolean;
};

/** A single file at `/share/<id>`, or several at `/shared/<token>`. */
export type ShareKind = "file" | "link";

export type SharedFileDoc = Pick<FileDoc, "version" | "file_name" | "language" | "size_bytes" | "lines"> & {
  file_id: ObjectId;
  /** The number of the file in the link's addresses, from 1. It stays when other files are removed. */
  place: number;
  /** The path within the folder of a link. */
  path?: string;
};
