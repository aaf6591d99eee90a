/**
 * `node tests/releases/make.ts`: stores the data of the current release for later ones, as `<version>.tar.zst` with its facts beside it.
 * Run it once for every release, before raising the version.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackup } from "#db/backups/create-backup.ts";
import { readReleaseVersion } from "#db/backups/manifest.ts";
import { connectMongo } from "#db/client.ts";
import { startEngine } from "#db/local/engine.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { migrateData } from "#db/open/migrations/migrate.ts";
import { silentLog } from "#platform/log.ts";
import { fillRelease, MADE_AT } from "./release-data.ts";

const home = await mkdtemp(join(tmpdir(), "codeshelf-release-"));
const engine = await startEngine({ directory: join(home, "engine"), log: console.error });
const mongo = await connectMongo(engine.uri, { appName: "codeshelf-release-data" });
const db = { ...mongo.collections, emit: () => {} };
await ensureIndexes(mongo.collection);
await migrateData(db, { log: silentLog, now: MADE_AT });
const target = join(import.meta.dirname, await readReleaseVersion());
await writeFile(`${target}.json`, `${JSON.stringify(await fillRelease(db), null, 2)}\n`);
await rm(`${target}.tar.zst`, { force: true });
await createBackup({ uri: engine.uri, dataDirectory: home, file: `${target}.tar.zst`, now: MADE_AT });
await mongo.close();
await engine.stop();
await rm(home, { recursive: true });
