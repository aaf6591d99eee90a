/**
 * `npm run rotate-key`: encrypts every secret of people with the current DATA_KEY, on MONGODB_URI or on the engine of DATA_DIR,
 * running or not. Secrets under DATA_KEY_PREVIOUS, or of an edition without its own key, are read with that key. Without
 * DATA_KEY, a new key replaces the one in DATA_DIR; secrets that an interrupted command left under the key before are encrypted
 * again first. Web and worker may be running; they read both keys.
 */

import { connectMongo } from "#db/client.ts";
import { reencryptTokens } from "#db/repos/encrypted-tokens.server.ts";
import { EnvError, readKeyEnv } from "#platform/env/env.ts";
import { rotateStoredDataKey } from "#platform/secrets/data-keys.ts";
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
  // Nothing is encrypted with the previous key any more, so its file is free for the current one.
  if (isKept) rotateStoredDataKey(dataDir);
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
