/** What a search costs without the product: LIKE over SQLite, as small snippet managers do it, and ripgrep over the same files on disk. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SampleText } from "#db/local/sample/sample-texts.ts";

export type Baseline = { save(text: SampleText): void; search(q: string): number; close(): void };

/** A page of twenty and how many there are, as such a product answers a search. */
export function openLike(directory: string, texts: readonly SampleText[]): Baseline {
  const database = new DatabaseSync(join(directory, `like-${texts.length}.sqlite`));
  database.exec(
    "pragma journal_mode = wal; create table files (id integer primary key, name text, description text, body text, updated_at integer)",
  );
  const insert = database.prepare(
    "insert into files (name, description, body, updated_at) values (?, ?, ?, ?)",
  );
  const save = ({ file_name, description, body }: SampleText) =>
    insert.run(file_name, description, body, Date.now());
  database.exec("begin");
  for (const text of texts) save(text);
  database.exec("commit");
  const where = "from files where name like ?1 or description like ?1 or body like ?1";
  const page = database.prepare(`select id, name, body ${where} order by updated_at desc limit 20`);
  const count = database.prepare(`select count(*) as count ${where}`);
  return {
    save,
    search(q) {
      const pattern = `%${q}%`;
      page.all(pattern);
      return Number(count.get(pattern)?.count);
    },
    close: () => database.close(),
  };
}

/** Null where ripgrep is not installed. */
export function openRipgrep(directory: string, texts: readonly SampleText[]): ((q: string) => void) | null {
  if (spawnSync("rg", ["--version"]).error) return null;
  const folder = join(directory, `files-${texts.length}`);
  mkdirSync(folder);
  for (const [i, { file_name, body }] of texts.entries())
    writeFileSync(join(folder, `${i}-${file_name}`), body);
  return (q) => {
    spawnSync("rg", [
      "--fixed-strings",
      "--ignore-case",
      "--line-number",
      "--max-count=5",
      "--no-ignore",
      "--",
      q,
      folder,
    ]);
  };
}
