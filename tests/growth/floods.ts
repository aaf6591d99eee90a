/** Queries, headers and bodies whose shape is slow to read. The first ones are tried at every address. */
export const FLOODS: readonly [
  name: string,
  flood: (bytes: number) => { query: string; headers: Record<string, string> },
][] = [
  ["parameters", (bytes) => ({ query: repeatTo(bytes, (n) => `a${n}=&`), headers: {} })],
  ["operators in parameters", (bytes) => ({ query: repeatTo(bytes, (n) => `a[${n}]=&`), headers: {} })],
  ["one parameter again and again", (bytes) => ({ query: "q=a&".repeat(bytes / 4), headers: {} })],
  ["cookies", (bytes) => ({ query: "", headers: { Cookie: repeatTo(bytes, (n) => `a${n}=1; `) } })],
  [
    "languages",
    (bytes) => ({ query: "", headers: { "Accept-Language": repeatTo(bytes, (n) => `a${n % 9};q=0.1,`) } }),
  ],
  [
    "kinds of answer",
    (bytes) => ({
      query: "",
      headers: { Accept: `text/html,${repeatTo(bytes, (n) => `a/b${n % 9};q=0.1,`)}` },
    }),
  ],
  [
    "known versions",
    (bytes) => ({ query: "", headers: { "If-None-Match": repeatTo(bytes, (n) => `"${n}",`) } }),
  ],
];

/** Repeats a numbered unit up to this many bytes. */
export function repeatTo(bytes: number, unit: (n: number) => string): string {
  let text = "";
  for (let n = 0; text.length < bytes; n += 1) text += unit(n);
  return text;
}

export type Shape = [name: string, body: (bytes: number) => RequestInit];
const json = (body: string): RequestInit => ({ body, headers: { "Content-Type": "application/json" } });
const urlEncoded = (body: string): RequestInit => ({
  body,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});

export const JSON_SHAPES: readonly Shape[] = [
  ["a deep list", (bytes) => json("[".repeat(bytes / 2) + "]".repeat(bytes / 2))],
  ["a long list", (bytes) => json(`[${"0,".repeat(bytes / 2)}0]`)],
  ["many names", (bytes) => json(`{${repeatTo(bytes, (n) => `"a${n}":0,`)}"z":0}`)],
];

const part = (name: string, value: string, path?: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${path ? `; filename="${path}"` : ""}\r\n\r\n${value}\r\n`;
const batch = (...parts: string[]): RequestInit => ({ body: `${parts.join("")}--x--\r\n` });
const BATCH_FILES = 200;

/** Of `POST /api/files/batch`, whose row names the boundary. */
export const BATCH_SHAPES: readonly Shape[] = [
  ["one text", (bytes) => batch(part("files", "a\n".repeat(bytes / 2 - 100), "grown/a.txt"))],
  [
    "many files",
    (bytes) => {
      const text = "a\n".repeat(bytes / BATCH_FILES / 2 - 100);
      return batch(
        ...Array.from({ length: BATCH_FILES }, (_, n) => part("files", text + n, `grown/${n}.txt`)),
      );
    },
  ],
  ["a long path", (bytes) => batch(part("files", "1", "a"), part("paths", `["${"a/".repeat(bytes / 2)}a"]`))],
  [
    "many paths",
    (bytes) => batch(part("files", "1", "a"), part("paths", `[${repeatTo(bytes, (n) => `"a${n}",`)}"z"]`)),
  ],
  [
    "many conditions",
    (bytes) =>
      batch(
        part("files", String(bytes), "grown/c.txt"),
        part("if_match", `{${repeatTo(bytes, (n) => `"a${n}":1,`)}"z":1}`),
      ),
  ],
];

export const FORM_SHAPES: readonly Shape[] = [
  ["many names", (bytes) => urlEncoded(repeatTo(bytes, (n) => `a${n}&`))],
  ["one name again and again", (bytes) => urlEncoded("intent=a&".repeat(bytes / 9))],
  [
    "many parts",
    (bytes) => ({
      body: `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(bytes / 52)}--b--\r\n`,
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
    }),
  ],
];
