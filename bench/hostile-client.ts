/**
 * The client of `hostile.ts`, a process of its own, as reading its long answers takes a processor too: `hostile-client.ts <url>`.
 * It sends each of its inputs once and says `ready`; told `go`, it sends them without pause until it is told `stop`, and says how many.
 */

import { once } from "node:events";
import { setPriority } from "node:os";
import { itemAt } from "#domain/required.ts";
import { logIn, saveFile } from "./product.ts";

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

// A real visitor brings a machine of their own: this client takes only the processor time that nobody else wants.
setPriority(19);
const url = itemAt(process.argv, 2);
const assaults = await prepare(url, await logIn(url, HOSTILE_PERSON));
const read = async (assault: Assault) => void (await (await assault()).arrayBuffer());
for (const assault of assaults) await read(assault);
process.send?.({ ready: true });
await once(process, "message");
let isOver = false;
process.once("message", () => {
  isOver = true;
});
let visits = 0;
for (; !isOver; visits += 1) await read(itemAt(assaults, visits % assaults.length));
process.send?.({ visits });
process.disconnect();
