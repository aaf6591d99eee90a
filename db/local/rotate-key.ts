/**
 * `npm run rotate-key`: seals every secret of people under the present DATA_KEY, on MONGODB_URI or on the engine of DATA_DIR,
 * running or not. What was encrypted under DATA_KEY_PREVIOUS, or by an edition without a key of its own, is read with that.
 *
 * Without DATA_KEY the key is the one that DATA_DIR keeps, and a new one takes its place: what a command that was cut off left
 * under the one before is encrypted anew first. Web and worker may run meanwhile; they read both keys.
 */

import { reencryptTokens } from "#db/accounts/encrypted-tokens.server.ts";
import { connectMongo } from "#db/client.ts";
import { EnvError, readKeyEnv } from "#platform/env/env.ts";
import { replaceKeptDataKey } from "#platform/secrets/data-keys.ts";
import { openStore } from "./open-store.ts";

function readKeysOrExit() {
  try {
    return readKeyEnv(process.env);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const { dataKeys, dataDir, isKept } = readKeysOrExit();
const store = await openStore();
const mongo = await connectMongo(store.uri, { appName: "codeshelf-rotate-key" });
try {
  const earlier = await reencryptTokens(mongo.collections, dataKeys);
  // Nothing is under the key before any more, so that its place is free for the present one.
  if (isKept) replaceKeptDataKey(dataDir);
  const { reencrypted, current, unreadable } = isKept
    ? await reencryptTokens(mongo.collections, dataKeys)
    : earlier;
  if (isKept) console.log(`A new key is kept in ${dataDir}.`);
  console.log(`${reencrypted} secrets encrypted anew, ${current} were under the present key.`);
  if (unreadable > 0) {
    console.error(`${unreadable} secrets cannot be read with the keys given here and were left alone.`);
    process.exitCode = 1;
  }
} finally {
  await mongo.close();
  await store.close();
}
