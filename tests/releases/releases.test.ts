import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readReleaseVersion as readReleaseName } from "#db/backups/manifest.ts";
import { connectMongo } from "#db/client.ts";
import { DATA_VERSION, readDataVersion } from "#db/core/installation/data-version.ts";
import { startEngine } from "#db/local/engine.ts";
import { restoreData } from "#db/local/restore-data.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { migrateData } from "#db/open/migrations/migrate.ts";
import { silentLog } from "#platform/log.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { EXPECTED, MADE_AT, readRelease } from "./release-data.ts";

needsEngine("restores backups of the embedded data");

const releases = readdirSync(import.meta.dirname).flatMap((name) => /^(.+)\.tar\.zst$/.exec(name)?.[1] ?? []);

it.each(releases)("the data of the release %s reaches the current version complete", async (release) => {
  const directory = await temporaryDirectory("release");
  const archive = join(import.meta.dirname, `${release}.tar.zst`);
  const { manifest } = await restoreData(archive, directory);
  expect(manifest).toMatchObject({ release });
  const engine = await startEngine({ directory: join(directory, "engine"), log: () => {}, sync: "normal" });
  const mongo = await connectMongo(engine.uri, { appName: "codeshelf-test" });
  try {
    const db = { ...mongo.collections, emit: () => {} };
    expect(await readDataVersion(db)).toBe(manifest.data_version);
    await ensureIndexes(mongo.collection);
    await migrateData(db, { log: silentLog, now: MADE_AT });

    const facts = JSON.parse(readFileSync(join(import.meta.dirname, `${release}.json`), "utf8"));
    expect(await readRelease(db, facts)).toEqual(EXPECTED);
    expect(await readDataVersion(db)).toBe(DATA_VERSION);
  } finally {
    await mongo.close();
    await engine.stop();
  }
});

it("a release has stored data and a section in the changelog with the operator's steps", async () => {
  const name = await readReleaseName();
  expect(releases).toContain(name);
  const changelog = readFileSync(join(PROJECT_ROOT, "CHANGELOG.md"), "utf8");
  const sections = changelog.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split(/\s/)[0])).toContain(name);
  for (const section of sections) expect(section).toContain("**To do when you update.**");
});
