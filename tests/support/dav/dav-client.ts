import type { TokenScope } from "#domain/accounts/access-token.ts";
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

/** A person's WebDAV client, with a new token as the password. */
export async function createDavClient(web: TestWeb, ownerId: string, scope: TokenScope): Promise<DavClient> {
  await web.visitor().logIn(ownerId);
  const { secret: token } = await web.given.token(ownerId, scope);
  return {
    token,
    ask: (method, path, headers = {}, body) =>
      fetch(`${web.url}/dav${path}`, {
        method,
        headers: { Authorization: `Basic ${Buffer.from(`anyone:${token}`).toString("base64")}`, ...headers },
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      }),
  };
}
