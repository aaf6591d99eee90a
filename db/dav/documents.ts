import type { Binary } from "mongodb";
import type { DavLock } from "#domain/dav/dav-lock.ts";

/** The locks of a person. A change is written only to the revision that it was decided on. */
export type DavLocksDoc = {
  _id: string;
  revision: number;
  locks: DavLock[];
  /** When the last lock expires, and the document with it. */
  expires_at: Date;
};

/** A file that a client moved away or deleted. */
export type DavDepartureDoc = {
  /** The owner's id and a digest of the client and the path. */
  _id: string;
  user_id: string;
  departed_id: string;
  isLeftover: boolean;
  expires_at: Date;
};

/** A file outside the library, for the client that wrote it. */
export type DavJunkDoc = {
  /** The owner's id and a slot. */
  _id: string;
  user_id: string;
  folder_id: string | null;
  name: string;
  bytes: Binary;
  /** Differs for each writing. */
  tag: string;
  written_at: Date;
  expires_at: Date;
};
