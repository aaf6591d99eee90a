/** People as their first sign-in makes them. */

import { signInUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import type { CredentialOwner } from "#domain/accounts/credential.ts";

/** A person who has never ended all their credentials. */
export const newOwner = (id: string): CredentialOwner => ({ id, credential_epoch: 0 });

export function givenAccount(db: Db, id: string, now: Date): Promise<User> {
  const names = { first_name: "Dana", last_name: null, username: null, photo_url: null };
  return signInUser(db, { id, ...names }, now);
}
