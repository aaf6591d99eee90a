/**
 * `npm run role -- 4711 admin`: sets the role of the person with that id, on MONGODB_URI or on the engine of
 * DATA_DIR, running or not. They must have signed in once.
 */

import { setUserRole } from "#db/accounts/people.server.ts";
import { connectMongo } from "#db/client.ts";
import { isUserId } from "#domain/accounts/identity.ts";
import { ROLES } from "#domain/accounts/role.ts";
import { isRefusal } from "#domain/refusal.ts";
import { hasItem } from "#domain/typed-keys.ts";
import { openStore } from "./open-store.ts";

const [userId = "", role = ""] = process.argv.slice(2);
if (!isUserId(userId) || !hasItem(ROLES, role)) {
  console.error(`Give the id of an account and one of ${ROLES.join(", ")}: npm run role -- 4711 admin`);
  process.exit(1);
}

const store = await openStore();
const mongo = await connectMongo(store.uri, { appName: "codeshelf-role" });
try {
  const person = await setUserRole({ ...mongo.collections, emit: () => {} }, userId, role);
  if (isRefusal(person)) {
    console.error(`Nobody with the id ${userId} has signed in yet. Sign in once, then run this again.`);
    process.exitCode = 1;
  } else console.log(`${person.name} (${person.id}) is ${person.role} now.`);
} finally {
  await mongo.close();
  await store.close();
}
