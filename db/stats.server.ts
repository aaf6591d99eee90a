import type { Db } from "#db/client.ts";
import { living } from "#db/files.server.ts";

export type LanguageTally = { language: string; count: number; bytes: number; lines: number };

/** The owner's living files by language, the most used first. */
export async function tallyLanguages(db: Db, ownerId: string): Promise<LanguageTally[]> {
  return db.files
    .aggregate<LanguageTally>([
      { $match: living(ownerId) },
      {
        $group: {
          _id: "$language",
          count: { $sum: 1 },
          bytes: { $sum: "$size_bytes" },
          lines: { $sum: "$lines" },
        },
      },
      { $sort: { count: -1, _id: 1 } },
      { $project: { _id: 0, language: "$_id", count: 1, bytes: 1, lines: 1 } },
    ])
    .toArray();
}

/** How many living files were created on each day of UTC since a moment; a day without any is not there. */
export async function countByDay(db: Db, ownerId: string, since: Date): Promise<Map<string, number>> {
  const days = await db.files
    .aggregate<{ _id: string; count: number }>([
      { $match: { ...living(ownerId), created_at: { $gte: since } } },
      {
        $group: {
          _id: { $dateToString: { date: "$created_at", format: "%Y-%m-%d" } },
          count: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  return new Map(days.map(({ _id, count }) => [_id, count]));
}
