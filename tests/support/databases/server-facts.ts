import { MongoClient } from "mongodb";

export async function readServerVersion(server: string): Promise<string> {
  const client = await MongoClient.connect(server);
  return client
    .db("admin")
    .command({ buildInfo: 1 })
    .then(({ version }) => version)
    .finally(() => client.close());
}
