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
