import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "#tests/support/databases/engine.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";

describe("a test file", () => {
  let database: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    other = await openTestDatabase();
  });

  it("has a document database of its own, named after it", async () => {
    await database.db.collection("kept").insertOne({ answer: 42, nothing: undefined });

    expect(await database.db.collection("kept").findOne({}, { projection: { _id: 0 } })).toEqual({
      answer: 42,
    });
    expect(await other.db.collection("kept").findOne()).toBeNull();
    expect(database.name).toMatch(/^test_[0-9a-f]{6}_support_[0-9a-f]{6}$/);
    expect(other.uri).toBe(database.uri);
  });

  it("has a PostgreSQL database of its own", async () => {
    const [own, another] = [await createTestPostgres(), await createTestPostgres()];
    const tablesOf = async (url: string, sql: string) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(sql);
      const { rowCount } = await client.query("SELECT FROM pg_tables WHERE tablename = 'kept'");
      await client.end();
      return rowCount;
    };

    expect(await tablesOf(own, "CREATE TABLE kept (answer int)")).toBe(1);
    expect(await tablesOf(another, "SELECT 1")).toBe(0);
  });
});
