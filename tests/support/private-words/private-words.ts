/**
 * Collects what people store and type, and searches for it in what administrators see. A word that the product's own sources contain
 * cannot be told from the product's words, so it is ignored.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Collections } from "#db/collections.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { listWritings } from "#tests/support/private-words/marks.ts";

const WORD_MIN = 6;
const LINE_MIN = 10;
const LINES_OF_A_TEXT = 5;
const SECRET_MIN = 16;
const HEAD = 4;
/** Events contain ids and dates, and a number belongs to nobody. */
const IMPERSONAL = /^[\d.,:+\-TZ\s]*$|[0-9a-f]{24}|^\d{4}-\d\d-\d\dT/;

type Kept = { words: string[]; secrets: string[] };

const listLines = (text: unknown) =>
  `${text ?? ""}`
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_MIN)
    .slice(0, LINES_OF_A_TEXT);

/** All personal data in the library's collections: words, and secrets that give access. */
export async function collectWords(collections: Collections): Promise<Kept> {
  const [users, files, bodies, notes, boards, tokens, devices, shares, repos, repoFiles, repoTexts] =
    await Promise.all([
      collections.users.find().toArray(),
      collections.files.find().toArray(),
      collections.file_bodies.find().toArray(),
      collections.notes.find().toArray(),
      collections.boards.find().toArray(),
      collections.tokens.find().toArray(),
      collections.push_subscriptions.find().toArray(),
      collections.shares.find().toArray(),
      collections.repos.find().toArray(),
      collections.repo_files.find().toArray(),
      collections.repo_texts.find().toArray(),
    ]);
  const words: unknown[] = [
    ...users.flatMap(({ first_name, username }) => [first_name, username]),
    ...files.flatMap(({ file_name, description, tags }) => [file_name, description, ...tags]),
    ...bodies.flatMap(({ body }) => listLines(body)),
    ...notes.flatMap(({ content }) => listLines(content)),
    ...boards.map(({ name }) => name),
    ...tokens.map(({ name }) => name),
    ...repos.flatMap(({ repo_name, url }) => [repo_name, url]),
    ...repoFiles.map(({ path }) => path),
    ...repoTexts.flatMap(({ text }) => listLines(text)),
  ];
  const secrets = [
    ...devices.flatMap(({ endpoint, p256dh, auth }) => [endpoint, p256dh, auth]),
    ...shares.map(({ _id }) => _id),
  ];
  return { words: words.filter((word) => typeof word === "string"), secrets };
}

const OWN_ROOMS = ["app", "db", "domain", "platform", "worker", "public"];

function ownText(): string {
  const texts = OWN_ROOMS.flatMap((room) =>
    readdirSync(join(PROJECT_ROOT, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")),
  );
  return texts.join("\n").toLowerCase();
}

/** Each word once, if it is long enough to be unique. */
export function privateWords({ words, secrets }: Kept): string[] {
  const own = ownText();
  const personal = words
    .map((word) => word.trim())
    .filter((word) => word.length >= WORD_MIN && !IMPERSONAL.test(word) && !own.includes(word.toLowerCase()));
  return [...new Set([...personal, ...secrets.filter((secret) => secret.length >= SECRET_MIN)])];
}

/** The words that a text contains in any encoding, each with its surroundings. */
export function findWords(text: string, words: readonly string[]): string[] {
  const byHead = new Map<string, { word: string; writing: string }[]>();
  for (const word of words) {
    for (const writing of new Set(listWritings(word).map((encoded) => encoded.toLowerCase()))) {
      const head = writing.slice(0, HEAD);
      byHead.set(head, [...(byHead.get(head) ?? []), { word, writing }]);
    }
  }
  const searched = text.toLowerCase();
  const matches = new Map<string, string>();
  for (let start = 0; start < searched.length; start += 1) {
    for (const { word, writing } of byHead.get(searched.slice(start, start + HEAD)) ?? [])
      if (!matches.has(word) && searched.startsWith(writing, start))
        matches.set(word, `${word}: …${searched.slice(Math.max(0, start - 120), start + 80)}`);
  }
  return [...matches.values()];
}

const OPERATED = [
  "events",
  "alerts",
  "alert_cooldowns",
  "event_counts",
  "request_timings",
  "job_runs",
  "workers",
] as const satisfies (keyof Collections)[];

/** The parts of the store that administrators may see, by collection. */
export async function readOperatorTexts(collections: Collections): Promise<Record<string, string>> {
  const texts = OPERATED.map(async (name) => {
    const docs = await (collections[name] as Collections["events"]).find().toArray();
    return [name, JSON.stringify(docs)] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** Text that people typed into forms, from the bodies of the requests. Ids are in hidden fields, which nobody types. */
export function listTyped(contentType: string, body: string | null): string[] {
  if (!body) return [];
  if (contentType.includes("urlencoded"))
    return [...new URLSearchParams(body)]
      .filter(([name]) => !name.endsWith("_id"))
      .flatMap(([, value]) => linesOrWord(value));
  if (!contentType.includes("json")) return [];
  const strings: string[] = [];
  try {
    JSON.parse(body, (_, value) => typeof value === "string" && strings.push(value));
  } catch {
    return [];
  }
  return strings.flatMap(linesOrWord);
}

const linesOrWord = (value: string) => (/\n/.test(value) ? listLines(value) : [value]);
