import { ObjectId } from "mongodb";

/** The owner of a mirror's entries in the search index. No person's id begins with a letter. */
export const indexOwner = (repoId: ObjectId) => `r${repoId.toHexString()}`;

/** Returns the mirror of an owner in the search index; null for a person. */
export function parseIndexedRepoId(ownerId: string): ObjectId | null {
  return ownerId.startsWith("r") ? new ObjectId(ownerId.slice(1)) : null;
}
