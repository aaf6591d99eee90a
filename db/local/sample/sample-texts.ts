import { itemAt } from "#domain/required.ts";

/** Generated but plausible code: the same file for the same number. */
const NOUNS =
  "invoice order customer session token report upload queue worker reminder board note share repo branch commit ledger parcel route sensor".split(
    " ",
  );
const VERBS =
  "load save parse send render merge split find count check build cache retry sort filter group".split(" ");
const HEBREW = [
  "טעינת ההגדרות מהקובץ",
  "שליחת תזכורת למשתמש",
  "בדיקת תקינות הקלט",
  "שמירת התוצאה במטמון",
  "חישוב הסכום הכולל",
];
const TAGS = ["web", "cli", "draft", "work", "home", "tests", "sql", "infra", "לימודים", "snippets"];
const REPOS = ["acme/billing", "acme/site", "dana/dotfiles"];

type Style = {
  language: string;
  extension: string;
  comment: string;
  body(name: string, noun: string, n: number): string;
};

const STYLES: readonly Style[] = [
  {
    language: "python",
    extension: "py",
    comment: "#",
    body: (name, noun, n) =>
      `def ${name}(${noun}, limit=${n}):\n    rows = [row for row in ${noun} if row.size > ${n}]\n    return sorted(rows, key=lambda row: row.created_at)[:limit]\n`,
  },
  {
    language: "typescript",
    extension: "ts",
    comment: "//",
    body: (name, noun, n) =>
      `export function ${name}(${noun}: Row[], limit = ${n}): Row[] {\n  const rows = ${noun}.filter((row) => row.size > ${n});\n  return rows.toSorted((a, b) => a.createdAt - b.createdAt).slice(0, limit);\n}\n`,
  },
  {
    language: "go",
    extension: "go",
    comment: "//",
    body: (name, noun, n) =>
      `func ${name}(${noun} []Row, limit int) []Row {\n\tout := make([]Row, 0, ${n})\n\tfor _, row := range ${noun} {\n\t\tif row.Size > ${n} {\n\t\t\tout = append(out, row)\n\t\t}\n\t}\n\treturn out\n}\n`,
  },
  {
    language: "sql",
    extension: "sql",
    comment: "--",
    body: (name, noun, n) =>
      `create view ${name} as\n  select id, name, created_at from ${noun}\n  where size > ${n}\n  order by created_at desc;\n`,
  },
  {
    language: "bash",
    extension: "sh",
    comment: "#",
    body: (name, noun, n) =>
      `${name}() {\n  for ${noun} in "$@"; do\n    test "$(wc -c < "$${noun}")" -gt ${n} && echo "$${noun}"\n  done\n}\n`,
  },
  {
    language: "markdown",
    extension: "md",
    comment: "##",
    body: (name, noun, n) =>
      `The ${noun} is kept for ${n} days. See \`${name}\` for how it is read.\n\n- [ ] check the ${noun}\n- [x] write it down\n`,
  },
];

export type SampleText = {
  file_name: string;
  language: string;
  description: string;
  tags: string[];
  repo: string | null;
  body: string;
};

/** Each file has its own generator, so that a larger library begins with the same files. */
function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

export function sampleText(i: number): SampleText {
  const random = createRandom(i + 1);
  const choose = <T>(choices: readonly T[]) => itemAt(choices, random(choices.length));
  random(7);
  const style = choose(STYLES);
  const [verb, noun] = [choose(VERBS), choose(NOUNS)];
  const parts: string[] = [];
  for (let size = 0; size < 2_400 + random(800); ) {
    const section = `${style.comment} ${random(4) === 0 ? choose(HEBREW) : `${choose(VERBS)} every ${choose(NOUNS)}`} ${random(100_000)}\n${style.body(`${choose(VERBS)}_${choose(NOUNS)}_${random(10_000)}`, choose(NOUNS), random(5_000))}\n`;
    parts.push(section);
    size += section.length;
  }
  return {
    file_name: `${verb}-${noun}-${i}.${style.extension}`,
    language: style.language,
    description: random(3) === 0 ? `Used to ${verb} the ${noun}` : "",
    tags: [...new Set(Array.from({ length: random(3) }, () => choose(TAGS)))],
    repo: random(5) === 0 ? choose(REPOS) : null,
    // A word that only one of a thousand files has.
    body: parts.join("") + (i % 1_000 === 7 ? `${style.comment} xylophone ${i}\n` : ""),
  };
}
