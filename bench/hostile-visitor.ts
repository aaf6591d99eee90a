/**
 * One client that sends the worst inputs it knows without pause: forms with thousands of fields, shares of texts that are slow to show,
 * texts to explain, and notes. Meanwhile somebody else reads the list, which may take twice as long at p95.
 */
import type { Figure } from "./figures.ts";
import { quick } from "./options.ts";
import { type Address, p95Of } from "./overload.ts";
import { logIn, saveFile } from "./product.ts";

const CALLS = quick ? 100 : 300;
const HOSTILE_PERSON = "666";
const SHOWN_BYTES = 1_000_000;
const NOTE_CHARACTERS = 20_000;
const EXPLAINED_BYTES = 100_000;
const FORM_BYTES = 250_000;

/** Each is slow for one of those who read it: Markdown, colours, sanitising, comparing. */
const TEXTS: Record<string, string> = {
  "links.md": "[a](",
  "quotes.md": "> ",
  "templates.js": "`${",
  "comments.c": "/*",
  "tags.html": "<a ",
  "one-line.py": "(",
};

const repeat = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

type Assault = () => Promise<Response>;
let sent = 0;

/** What it sends, in turn. Every text differs from those before: what was sent once may be remembered. */
async function prepare(url: string, cookie: string): Promise<Assault[]> {
  const send = (path: string, body: string, type: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: "POST",
      redirect: "manual",
      body,
      headers: { "Content-Type": type, "Sec-Fetch-Site": "same-origin", Accept: "text/html", ...headers },
    });
  const asPerson = { Cookie: cookie, Accept: "application/json" };
  const json = (path: string, value: unknown) =>
    send(path, JSON.stringify(value), "application/json", asPerson);
  const form = (path: string, unit: (n: number) => string) => () => {
    const fields = Array.from({ length: FORM_BYTES / 8 }, (_, n) => unit(n)).join("&");
    return send(path, fields.slice(0, FORM_BYTES), "application/x-www-form-urlencoded");
  };
  const shown: Assault[] = [];
  for (const [name, unit] of Object.entries(TEXTS)) {
    shown.push(async () => {
      sent += 1;
      const file = await saveFile(url, cookie, `${sent}-${name}`, `${sent}${repeat(unit, SHOWN_BYTES)}`);
      const share = await (await json(`/api/share/${file}`, {})).json();
      return fetch(`${url}/share/${share.share_id}`, { headers: { Accept: "text/html" } });
    });
    shown.push(async () => {
      sent += 1;
      return json("/api/ai/explain", { code: `${sent}${repeat(unit, EXPLAINED_BYTES)}` });
    });
  }
  const noted = await saveFile(url, cookie, "noted.py", "print(1)\n");
  const note: Assault = async () => {
    sent += 1;
    await json(`/api/sticky-notes/${noted}`, { content: `${sent}${repeat("[a](", NOTE_CHARACTERS - 10)}` });
    return fetch(`${url}/file/${noted}`, { headers: { Cookie: cookie, Accept: "text/html" } });
  };
  return [...shown, note, form("/preferences", (n) => `a${n}`), form("/upload", () => "a")];
}

export async function hostileVisitor(page: Address, url: string): Promise<Figure[]> {
  const assaults = await prepare(url, await logIn(url, HOSTILE_PERSON));
  // A process that has just begun is slow by itself.
  for (const assault of assaults) await (await assault()).arrayBuffer();
  await p95Of(page, CALLS);
  const quiet = await p95Of(page, CALLS);
  let isOver = false;
  let assaulted = 0;
  const visiting = (async () => {
    for (; !isOver; assaulted += 1) await (await assaults[assaulted % assaults.length]!()).arrayBuffer();
  })();
  const beside = await p95Of(page, CALLS);
  isOver = true;
  await visiting;
  // What else the machine does may have changed meanwhile: quiet is what it was before and after, at the mean.
  const quietAfter = await p95Of(page, CALLS);
  const baseline = (quiet + quietAfter) / 2;
  console.log(
    `the list at p95: ${beside.toFixed(0)} ms beside a hostile visitor (${assaulted} visits), ${quiet.toFixed(0)} ms before and ${quietAfter.toFixed(0)} ms after: ${(beside / baseline).toFixed(1)} times`,
  );
  const goal = { atMost: 2, of: "ratio" } as const;
  return [{ what: "p95 of the list beside a hostile visitor", ours: beside, baseline, unit: "ms", goal }];
}
