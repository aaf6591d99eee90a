import { connectMongo } from "#db/client.ts";
import { COLLECTIONS } from "#db/collections.ts";
import { listKeys } from "#domain/typed-keys.ts";

export async function countDocumentsByCollection(uri: string): Promise<Map<string, number>> {
  const mongo = await connectMongo(uri, { appName: "codeshelf-restore" });
  try {
    const counts = new Map<string, number>();
    for (const name of listKeys(COLLECTIONS)) {
      const count = await mongo.collection(name).countDocuments({}, { hint: { _id: 1 } });
      if (count > 0) counts.set(name, count);
    }
    return counts;
  } finally {
    await mongo.close();
  }
}
