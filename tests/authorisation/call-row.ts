import type { Call } from "#tests/entries/entry.ts";
import type { Names } from "./belongings.ts";
import type { Asking } from "./callers.ts";

/** The address of a row with these names in it; a name that is not given is one that nothing has. */
export function fillAddress(row: Call, names: Names): string {
  const pattern = row.call.slice(row.call.indexOf(" ") + 1);
  return `${pattern}${row.query ?? ""}`.replace(/[:*](\w+)/g, (_, name) => names[name] ?? `no-${name}`);
}

/** Calls a row's address with what it takes, as a script or as a browser's form. */
export async function callRow(ask: Asking, row: Call, names: Names, isPage: boolean): Promise<Response> {
  const [method = ""] = row.call.split(" ");
  const body = row.json ? JSON.stringify(row.json(names)) : row.raw;
  const sent = row.form ? new URLSearchParams(row.form(names)) : body;
  const headers = { ...(isPage ? { "Sec-Fetch-Site": "same-origin" } : {}), ...row.headers?.(names) };
  return ask(fillAddress(row, names), { method, body: sent, html: isPage, headers });
}
