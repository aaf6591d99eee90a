/** The shared set-up of the security claims: the product behind a proxy that terminates https, and every kind of caller. */
import { type Belonging, clearBelongings, MAKERS, type Names } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { type Asking, assembleCallers, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { openTestWeb, Visitor } from "#tests/support/web.ts";

/** Sends requests as the proxy forwards a browser's https requests. */
class SecureVisitor extends Visitor {
  override ask(path: string, init: Parameters<Visitor["ask"]>[1] = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-Proto", "https");
    return super.ask(path, { ...init, headers });
  }
}

export type Scene = Awaited<ReturnType<typeof setScene>>;

export async function setScene(variables: Record<string, string> = {}) {
  const proxied = await openTestWeb({ TRUST_PROXY: "1", PREMIUM_USER_IDS: PREMIUM_ID, ...variables });
  const web = { ...proxied, visitor: () => new SecureVisitor(proxied.url, proxied.clock) };
  const { owner, ask } = await assembleCallers(web);
  const namesByNeed = new Map<Belonging, Names>();
  /** The row's set-up, shared by all calls until one changes it. */
  const makeNeeded = async ({ needs = "nothing" }: Entry): Promise<Names> => {
    const names = namesByNeed.get(needs) ?? (await MAKERS[needs](owner, web));
    namesByNeed.set(needs, names);
    return names;
  };
  /** For the calls after one that may have changed the set-up. */
  const makeNewAfter = async ({ call }: Entry): Promise<void> => {
    if (call.startsWith("GET")) return;
    namesByNeed.clear();
    await clearBelongings(web);
  };
  const entitled = ({ door }: Entry): Asking =>
    door === "admin" ? ask.admin : door === "premium" ? ask.premium : ask.owner;
  const open = async (row: Entry, asking = entitled(row)): Promise<Response> => {
    const response = await callRow(asking, row, await makeNeeded(row), isPage(row));
    await makeNewAfter(row);
    return response;
  };
  return { web, owner, ask, made: makeNeeded, makeNewAfter, entitled, open };
}

export const isPage = (row: Entry) => PAGE_ENTRIES.includes(row);
