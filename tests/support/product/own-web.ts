/** A web process on an embedded engine of its own, for tests that freeze or fill that engine, and a signed-in administrator. */
import { onTestFinished } from "vitest";
import { createToken } from "#db/accounts/tokens.server.ts";
import { connectMongo } from "#db/client.ts";
import type { EngineOptions, EngineServer } from "#db/local/engine.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { startWebProcess } from "#tests/support/product/web-process.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { ADMIN_ID, Visitor } from "#tests/support/web.ts";

export type OwnWeb = {
  engine: EngineServer;
  url: string;
  visitor(): Visitor;
  admin: Visitor;
  token: string;
};

export async function startOwnWeb(options: Partial<EngineOptions> = {}): Promise<OwnWeb> {
  const engine = await startEngine(options);
  onTestFinished(() => engine.stop());
  const mongo = await connectMongo(engine.uri, { appName: "codeshelf-test" });
  onTestFinished(() => mongo.close());
  await ensureIndexes(mongo.collection);
  const databaseUrl = await createReleasedPostgres();
  const databases = { mongodbUri: engine.uri, databaseUrl, directory: await temporaryDirectory("web") };
  const web = await startWebProcess(databases, { ADMIN_USER_IDS: ADMIN_ID });
  onTestFinished(() => web.stop());
  const db = { ...mongo.collections, emit: () => {} };
  const visitor = () => new Visitor(web.url, () => new Date());
  const admin = await visitor().logIn(ADMIN_ID);
  const wish = { name: "test", scope: "write", lifetimeDays: null } as const;
  const { secret: token } = orThrow(
    await createToken(db, { id: ADMIN_ID, credential_epoch: 0 }, wish, new Date()),
  );
  return { engine, url: web.url, visitor, admin, token };
}
