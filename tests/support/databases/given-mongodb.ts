/**
 * The MongoDB of TEST_MONGODB_URI, which tests and measurements use in place of the embedded engine. Several runs may share it: each has
 * its own databases, whose names begin with the run's prefix.
 */
import { randomBytes } from "node:crypto";
import { MongoClient } from "mongodb";

export const givenMongoDB: string | undefined = process.env.TEST_MONGODB_URI || undefined;

/** The prefix of this run's databases. Processes that a run starts inherit it. */
const PREFIX_VARIABLE = "CODESHELF_TEST_DATABASES";

const newRandomPart = () => randomBytes(3).toString("hex");

/** Call it once at the start of a run, before it starts a process. */
export function beginDatabaseNames(kind: "test" | "bench"): string {
  const prefix = `${kind}_${newRandomPart()}`;
  process.env[PREFIX_VARIABLE] = prefix;
  return prefix;
}

// Some hosts allow 38 characters in all.
const LABEL_MAX = 17;

/** A unique name that describes the database's use. */
export function newDatabaseName(label: string): string {
  const prefix = process.env[PREFIX_VARIABLE] ?? beginDatabaseNames("test");
  const readable = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  return `${prefix}_${readable.slice(0, LABEL_MAX)}_${newRandomPart()}`;
}

const ADDRESS = /^(mongodb(?:\+srv)?:\/\/)([^@/?]*@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;

/** The address of another database on the same server, for the same user. */
export function toDatabaseAddress(uri: string, name: string): string {
  const [, scheme, user = "", hosts, database = "", query = ""] = ADDRESS.exec(uri) ?? [];
  if (scheme === undefined) throw new Error("TEST_MONGODB_URI is not the address of a MongoDB.");
  const options = query.split("&").filter((option) => option !== "");
  const isGiven = (option: string) => options.some((entry) => entry.toLowerCase().startsWith(`${option}=`));
  // Without another setting, users are stored in the address's database.
  if (user !== "" && !isGiven("authsource") && !isGiven("authmechanism"))
    options.push(`authSource=${database || "admin"}`);
  return `${scheme}${user}${hosts}/${name}${options.length > 0 ? `?${options.join("&")}` : ""}`;
}

type GivenDatabase = { uri: string; name: string; drop(): Promise<void> };

/** A new database on the given server. The first write creates it; dropping removes it. */
export function newGivenDatabase(server: string, label: string): GivenDatabase {
  const name = newDatabaseName(label);
  const drop = () => withServer(server, (client) => dropDatabase(client, name));
  return { uri: toDatabaseAddress(server, name), name, drop };
}

/** Drops all databases of a run, including those of killed processes. */
export async function dropDatabases(server: string, prefix: string): Promise<void> {
  await withServer(server, async (client) => {
    const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(`${prefix}_`)) await dropDatabase(client, name);
  });
}

async function dropDatabase(client: MongoClient, name: string): Promise<void> {
  await client.db(name).dropDatabase();
}

async function withServer<T>(server: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(server);
  return work(client).finally(() => client.close());
}
