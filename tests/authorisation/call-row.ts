import type { Names } from "./belongings.ts";
import type { Asking } from "./callers.ts";
import type { Row } from "./rows.ts";

/** Calls a row's address with what it takes, as a script or as a browser's form. */
export async function callRow(ask: Asking, row: Row, names: Names, isPage: boolean): Promise<Response> {
  const [method, pattern] = row.call.split(" ") as [string, string];
  const path = `${pattern}${row.query ?? ""}`.replace(/[:*](\w+)/g, (_, name) => names[name] ?? `no-${name}`);
  const body = row.json ? JSON.stringify(row.json(names)) : row.raw;
  const sent = row.form ? new URLSearchParams(row.form(names)) : body;
  const headers = { ...(isPage ? { "Sec-Fetch-Site": "same-origin" } : {}), ...row.headers?.(names) };
  return ask(path, { method, body: sent, html: isPage, headers });
}
