import { createToken } from "#db/accounts/tokens.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal } from "#domain/refusal.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import type { TestWeb } from "#tests/support/web.ts";

type DavHeaders = Record<string, string>;

export type DavClient = {
  token: string;
  ask(
    method: string,
    path: string,
    headers?: DavHeaders,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response>;
};

/** A WebDAV client of a person, with a token of its own as the password. */
export async function createDavClient(web: TestWeb, ownerId: string, scope: TokenScope): Promise<DavClient> {
  await web.visitor().logIn(ownerId);
  const made = await createToken(
    web.db,
    newOwner(ownerId),
    { name: "files", scope, lifetimeDays: null },
    web.clock(),
  );
  if (isRefusal(made)) throw new Error(made.refused);
  const authorization = `Basic ${Buffer.from(`anyone:${made.secret}`).toString("base64")}`;
  return {
    token: made.secret,
    ask: (method, path, headers = {}, body) =>
      fetch(`${web.url}/dav${path}`, {
        method,
        headers: { Authorization: authorization, ...headers },
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      }),
  };
}
