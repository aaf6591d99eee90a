import type { Call } from "#tests/entries/entry.ts";
import type { Names } from "./belongings.ts";
import type { Asking } from "./callers.ts";

/** Fills the address of a row; a name without a value gets one that nothing has. */
export function fillAddress(row: Call, names: Names): string {
  const pattern = row.call.slice(row.call.indexOf(" ") + 1);
  return `${pattern}${row.query ?? ""}`.replace(/[:*](\w+)/g, (_, name) => names[name] ?? `no-${name}`);
}

export async function callRow(ask: Asking, row: Call, names: Names, isPage: boolean): Promise<Response> {
  const [method = ""] = row.call.split(" ");
  const body = row.json ? JSON.stringify(row.json(names)) : row.raw;
  const sent = row.form ? new URLSearchParams(row.form(names)) : body;
  const headers = { ...(isPage ? { "Sec-Fetch-Site": "same-origin" } : {}), ...row.headers?.(names) };
  return ask(fillAddress(row, names), { method, body: sent, html: isPage, headers });
}
