import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reencryptTokens } from "#db/repos/encrypted-tokens.server.ts";
import { createRepo, findRepoToken, type RepoRecord } from "#db/repos/repos.server.ts";
import { required } from "#domain/required.ts";
import { readKeyEnv } from "#platform/env/env.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { createDataKeyReader, type DataKeys } from "#platform/secrets/data-keys.ts";
import { encryptSecret, toKeyId } from "#platform/secrets/encrypted-secret.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";
import { run } from "#tests/support/programs/running.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const { db, uri } = await openTestStore();
const OLD = "the data key of last year, long enough";
const NEW = "the data key of this year, long enough";
const under = (current: string, previous: string | null = null) => {
  const keys: DataKeys = { current, previous };
  return () => keys;
};

async function givenToken(name: string, token: string, keys: () => DataKeys): Promise<RepoRecord> {
  const wish = { url: `file:///srv/git/o/${name}.git`, token };
  const repo = orThrow(await createRepo(db, "1", wish, { allowLocal: true, dataKeys: keys }, NOON));
  return repo;
}

const command = (program: string, variables: Record<string, string>) =>
  run(process.execPath, [join(PROJECT_ROOT, program)], {
    env: { PATH: process.env.PATH, MONGODB_URI: uri, ...variables },
  });
const rotate = async (variables: Record<string, string>) => {
  const ran = command("db/local/rotate-key.ts", variables);
  return { code: (await ran.exit).code, said: ran.lines.join("\n") };
};
const keyIds = async () => {
  const docs = await db.repos.find({ sealed_token: { $gt: "" } }).toArray();
  return docs.map(({ sealed_token }) => required(sealed_token).split(".")[1]).sort();
};

describe("a new key for people's secrets", () => {
  it("is applied by npm run rotate-key, which can be interrupted and run again", async () => {
    const repos = [await givenToken("a", "tok-a", under(OLD)), await givenToken("b", "tok-b", under(OLD))];
    const fresh = await givenToken("c", "tok-c", under(NEW, OLD));

    expect(await rotate({ DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD })).toEqual({
      code: 0,
      said: "2 secrets encrypted anew, 1 were under the present key.",
    });

    expect(await keyIds()).toEqual([NEW, NEW, NEW].map(toKeyId));
    const read = [...repos, fresh].map((repo) => findRepoToken(db, repo, under(NEW)));
    expect(await Promise.all(read)).toEqual(["tok-a", "tok-b", "tok-c"]);
    expect((await rotate({ DATA_KEY: NEW })).said).toBe(
      "0 secrets encrypted anew, 3 were under the present key.",
    );
  });

  it("leaves unreadable secrets alone, says so and fails", async () => {
    const lost = await givenToken("lost", "tok", under("a key that nobody has any more, alas"));
    expect(await rotate({ DATA_KEY: NEW })).toMatchObject({
      code: 1,
      said: expect.stringContaining("1 secrets cannot be read"),
    });
    await db.repos.deleteOne({ named: lost.repo_name });
    expect(() => readKeyEnv({ DATA_KEY: "short" })).toThrow("DATA_KEY must have at least 32 characters");
    expect(() => readKeyEnv({ NODE_ENV: "production", MONGODB_URI: uri })).toThrow("DATA_KEY is missing");
  });

  it("does not overwrite a token that a person changes during the run", async () => {
    const repo = await givenToken("changed", "first", under(OLD));
    const changed = { $set: { sealed_token: encryptSecret(under(NEW)(), "second") } };
    const updateOne = async (...given: Parameters<typeof db.repos.updateOne>) => {
      await db.repos.updateOne({ named: repo.repo_name }, changed);
      return db.repos.updateOne(...given);
    };
    const repos = new Proxy(db.repos, {
      get: (target, name) => (name === "updateOne" ? updateOne : Reflect.get(target, name, target)),
    });
    expect(await reencryptTokens({ repos }, under(NEW, OLD))).toMatchObject({ reencrypted: 0 });
    expect(await findRepoToken(db, repo, under(NEW))).toBe("second");
  });

  it("is made where the key is stored, while the previous one stays readable", async () => {
    const directory = await temporaryDirectory("rotate-key");
    const keys = createDataKeyReader({}, directory);
    await db.repos.deleteMany({});
    const repo = await givenToken("kept", "tok", keys);
    const before = keys();

    expect(await rotate({ DATA_DIR: directory })).toMatchObject({
      code: 0,
      said: expect.stringContaining("1 secrets encrypted anew, 0 were under the present key."),
    });

    expect(keys()).toMatchObject({ previous: before.current });
    expect(await keyIds()).toEqual([toKeyId(keys().current)]);
    expect(await findRepoToken(db, repo, keys)).toBe("tok");
  });
});

itInFullRun("the release step seals secrets of the previous key with the current one, once", async () => {
  await db.repos.deleteMany({});
  const repo = await givenToken("before", "tok", under(OLD));
  const variables = {
    DATABASE_URL: await createTestPostgres(),
    ...{ DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD, SESSION_SECRET: "the secret of sessions" },
  };

  for (const count of [1, 0]) {
    const release = command("db/release.ts", variables);
    expect(await release.exit).toEqual({ code: 0, signal: null });
    expect(release.lines.join()).toContain(`"reencrypted":${count}`);
  }

  expect(await findRepoToken(db, repo, under(NEW))).toBe("tok");
});
