import type { Binary } from "mongodb";
import type { DavLock } from "#domain/dav/dav-lock.ts";

/** The locks of one person. `revision` counts the changes: a change is made onto the revision that it was decided on, or not at all. */
export type DavLocksDoc = {
  /** The owner's id. */
  _id: string;
  revision: number;
  locks: DavLock[];
  /** When the last of the locks is over, and the document with it. */
  expires_at: Date;
};

/** A file that a client moved away from a place or deleted there. */
export type DavDepartureDoc = {
  /** The owner's id and a digest of the client and the place. */
  _id: string;
  user_id: string;
  departed_id: string;
  isLeftover: boolean;
  expires_at: Date;
};

/** A file that is kept out of the library, for the client that wrote it to find again. */
export type DavJunkDoc = {
  /** The owner's id and one of the person's places. */
  _id: string;
  user_id: string;
  folder_id: string | null;
  name: string;
  bytes: Binary;
  /** Tells one writing from another. */
  tag: string;
  written_at: Date;
  expires_at: Date;
};
