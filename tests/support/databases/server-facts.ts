import { MongoClient } from "mongodb";

/** Which version a MongoDB is, asked of it. */
export async function readServerVersion(server: string): Promise<string> {
  const client = await MongoClient.connect(server);
  return client
    .db("admin")
    .command({ buildInfo: 1 })
    .then(({ version }) => version)
    .finally(() => client.close());
}
