/** The library in the pictures: files, notes on lines and on a board, reminders, versions, a share and a file in the trash. */
import type { APIRequestContext, BrowserContext } from "playwright";
import { SAMPLE_FILES } from "./sample-files.ts";

export type Library = {
  python: string;
  markdown: string;
  board: string;
  note: string;
  share: string;
  file(name: string): string;
};

const PYTHON = "word_count.py";
const MARKDOWN = "release-checklist.md";
const PRIMES = {
  file_name: "primes.py",
  description: "A sieve to try things on",
  tags: "python, snippets",
  text: `def primes(limit: int) -> list[int]:
    """The primes below a limit, by the sieve of Eratosthenes."""
    sieve = [True] * limit
    sieve[:2] = [False, False]
    for n in range(2, int(limit**0.5) + 1):
        if sieve[n]:
            sieve[n * n :: n] = [False] * len(sieve[n * n :: n])
    return [n for n, is_prime in enumerate(sieve) if is_prime]


found = primes(10_000)
print(len(found), "primes below 10,000")
print("the largest:", found[-1])
`,
};
const CHECKLIST = `# Release checklist

What has to be true before a release leaves the house.

## Before

- [x] The changelog names everything a user would notice
- [x] Migrations ran on a copy of production
- [ ] Two people have read the diff

## The day itself

| step | who | how long |
|---|---|---|
| Tag and build | whoever is on duty | 10 min |
| Deploy to one machine | whoever is on duty | 5 min |
| Watch the error rate | everybody | 30 min |

\`\`\`sh
git tag -s "v$VERSION" -m "Release $VERSION"
git push --follow-tags
\`\`\`

> Nothing is released on a Friday.
`;

type Note = { content: string; color: string; x?: number; y?: number; width?: number; height?: number };

const BOARD_NOTES: readonly Note[] = [
  {
    content: "**This week**\n\n- [x] Renew the certificate\n- [ ] Rotate the backup key\n- [ ] Answer Noa",
    color: "yellow",
    x: 24,
    y: 24,
    width: 260,
    height: 190,
  },
  {
    content: "Ask ops whether `nginx` may cache hashed assets for a year",
    color: "blue",
    x: 308,
    y: 24,
    width: 240,
    height: 140,
  },
  { content: "לחזור להערות של דנה על הגיבויים", color: "pink", x: 572, y: 24, width: 240, height: 140 },
  {
    content: "## Ideas\n\nA script that tells which snippets nobody opened for a year.",
    color: "green",
    x: 308,
    y: 188,
    width: 300,
    height: 170,
  },
  {
    content: "Reading: *A Philosophy of Software Design*, chapters 4–6",
    color: "purple",
    x: 24,
    y: 238,
    width: 260,
    height: 130,
  },
];

async function send(
  request: APIRequestContext,
  path: string,
  data: object,
): Promise<Record<"id" | "share_id", string>> {
  const answer = await request.post(path, { data });
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}

const FOLDER_FILES = {
  "docs/style.md": "# Style\n\nShort names, short functions.\n",
  "scripts/backup.sh": "#!/bin/sh\nset -eu\ntar -czf backup.tar.gz notes\n",
  "lib/parsers/csv.py":
    "import csv\n\n\ndef rows(path):\n    with open(path, newline='') as file:\n        return list(csv.reader(file))\n",
  "lib/parsers/ini.py": "import configparser\n\nread = configparser.ConfigParser().read\n",
  "lib/http/client.ts": "export const get = (url: string) => fetch(url).then((answer) => answer.json());\n",
  "lib/retry.py": "def retry(times, call):\n    for _ in range(times):\n        call()\n",
  "lib/slug.ts": 'export const slug = (name: string) => name.toLowerCase().replace(/\\W+/g, "-");\n',
  "lib/README.md":
    "# lib\n\nSmall helpers that the **scripts** use.\n\n- `parsers/` reads settings and tables\n- `http/` asks servers, with `retry.py`\n",
};

/** Fills the signed-in person's library; the last file made is first in the list. */
export async function fillLibrary({ request }: BrowserContext, url: string): Promise<Library> {
  const ids = new Map<string, string>();
  for (const [path, data] of Object.entries(FOLDER_FILES))
    await request.put(`${url}/api/files/${path}`, { data });
  const more = {
    file_name: MARKDOWN,
    description: "What has to be true before a release",
    tags: "ops, guides",
    text: CHECKLIST,
  };
  for (const file of [...SAMPLE_FILES.slice(0, -1), PRIMES, more, ...SAMPLE_FILES.slice(-1)]) {
    const headers = { Accept: "application/json" };
    const answer = await request.post(`${url}/upload`, { multipart: file, headers });
    if (!answer.ok()) throw new Error(`${file.file_name} was not saved: ${await answer.text()}`);
    ids.set(file.file_name, (await answer.json()).files[0].file_id);
  }
  const id = (name: string) => ids.get(name)!;
  const post = (path: string, data: object) => send(request, url + path, data);
  const on = (place: string, { x, y, width, height, ...fields }: Note & object) =>
    post(`/api/sticky-notes/${place}`, {
      ...fields,
      ...(x === undefined ? {} : { position: { x, y }, size: { width, height } }),
    });
  await on(id(PYTHON), {
    content: "Counter does all of this: `Counter(words).most_common(n)`",
    color: "yellow",
    ...{ line_start: 13, line_end: 15 },
  });
  const note = await on(id(PYTHON), {
    content: "- [x] Hebrew words\n- [ ] hyphens",
    color: "blue",
    ...{ line_start: 7 },
  });
  await on(id(MARKDOWN), {
    content: "Who is on duty in December?",
    color: "orange",
    ...{ anchor_id: "the-day-itself", anchor_text: "The day itself" },
  });
  const { board } = (await post("/api/note-boards", { name: "Desk" })) as unknown as {
    board: { id: string };
  };
  for (const card of BOARD_NOTES) await on(`board/${board.id}`, card);
  await post(`/api/sticky-notes/note/${note.id}/reminder`, { preset: "tomorrow-09", tz: "Asia/Jerusalem" });
  await request.put(`${url}/api/files/${PYTHON}`, {
    data: `${await (await request.get(`${url}/download/${id(PYTHON)}`)).text()}\n`,
  });
  const share = await post(`/api/share/${id(MARKDOWN)}`, {});
  const trashed = await request.put(`${url}/api/files/old-notes.txt`, { data: "gone\n" });
  await post(`/api/file/${(await trashed.json()).file_id}/trash`, {});
  return {
    python: id(PYTHON),
    markdown: id(MARKDOWN),
    board: board.id,
    note: note.id,
    share: share.share_id,
    file: id,
  };
}
