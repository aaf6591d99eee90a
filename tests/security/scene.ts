/** What the claims about security share: the product behind a proxy that ends https, and everyone who may call it. */
import { MAKERS, type Names } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { type Asking, assembleCallers, OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { openTestWeb, Visitor } from "#tests/support/web.ts";

/** As the proxy hands on what a browser asks over https. */
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
  const clear = (collection: unknown) =>
    (collection as typeof web.db.files).deleteMany({ user_id: OWNER_ID });
  /** What the row needs, and nothing else. */
  const made = async (row: Entry): Promise<Names> => {
    const { files, notes, boards, shares, repos } = web.db;
    await Promise.all([files, notes, boards, shares, repos].map(clear));
    return MAKERS[row.needs ?? "nothing"](owner, web);
  };
  /** Who may pass the row's door. */
  const entitled = ({ door }: Entry): Asking =>
    door === "admin" ? ask.admin : door === "premium" ? ask.premium : ask.owner;
  const open = async (row: Entry, asking = entitled(row)): Promise<Response> =>
    callRow(asking, row, await made(row), isPage(row));
  return { web, owner, ask, made, entitled, open };
}

export const isPage = (row: Entry) => PAGE_ENTRIES.includes(row);
