/** What a MongoDB is and takes, asked of it. */
import { MongoClient } from "mongodb";

export type ServerFacts = { version: string; takesFailPoints: boolean };

/** The server has no such command, or this user may not send it. */
const REFUSALS: unknown[] = [59, 13];

export async function askServer(server: string): Promise<ServerFacts> {
  const client = await MongoClient.connect(server);
  try {
    const admin = client.db("admin");
    const { version } = await admin.command({ buildInfo: 1 });
    // A name that no fail point has: a question must not switch off one that another file set.
    const question = { configureFailPoint: "codeshelf_asks", mode: "off" };
    const answer = await admin.command(question).catch((error: { code?: number }) => error);
    return { version, takesFailPoints: !REFUSALS.includes(answer.code) };
  } finally {
    await client.close();
  }
}
