/**
 * An OpenID Connect provider as a separate process: `oidc-provider`, controlled by messages that say who signs in and how it misbehaves.
 * It grants every login and consent without asking.
 */

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type JWK } from "oidc-provider";
import { listenHere } from "#tests/support/serve.ts";

export type OidcTold =
  | { say: "client"; redirectUri: string }
  | { say: "account"; sub: string; claims: Record<string, unknown> }
  | { say: "rotate" }
  | { say: "clock"; secondsBehind: number }
  | { say: "mode"; mode: Mode };
type Mode = "normal" | "silent" | "broken" | "old_keys";

const account = { sub: "dana", claims: {} as Record<string, unknown> };
const now = Date.now;
let mode: Mode = "normal";
let redirectUri = "http://127.0.0.1/unset";
let keys = [newKey()];
let published = keys;
let provider: Provider | null = null;

function newKey(): JWK {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
}

const issuer = await listenHere(createServer(answer));

function openProvider(): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: "codeshelf",
        client_secret: "a secret of the client",
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL("/", redirectUri).href],
      },
    ],
    jwks: { keys },
    claims: {
      openid: ["sub"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups"],
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["for tests alone"] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...account.claims }) }),
    loadExistingGrant: async ({ oidc }) => {
      const { accountId } = oidc.session ?? {};
      const grant = new oidc.provider.Grant({ clientId: "codeshelf", accountId });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (mode === "silent") return;
  if (mode === "broken") return void response.writeHead(500).end("broken");
  const { pathname } = new URL(request.url ?? "/", issuer);
  // The same configuration under another issuer's address.
  if (pathname.startsWith("/other")) request.url = (request.url ?? "").replace("/other", "");
  provider ??= openProvider();
  if (pathname.startsWith("/interaction/"))
    return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
  if (pathname === "/jwks" && mode === "old_keys") {
    const shown = published.map(({ kty, n, e, kid, use, alg }) => ({ kty, n, e, kid, use, alg }));
    return void response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: shown }));
  }
  await provider.callback()(request, response);
}

process.on("message", (instructions: OidcTold) => {
  if (instructions.say === "client") redirectUri = instructions.redirectUri;
  if (instructions.say === "account")
    Object.assign(account, { sub: instructions.sub, claims: instructions.claims });
  if (instructions.say === "mode") mode = instructions.mode;
  if (instructions.say === "clock") Date.now = () => now() - instructions.secondsBehind * 1000;
  if (instructions.say === "rotate") {
    published = keys;
    keys = [newKey()];
  }
  if (instructions.say === "client" || instructions.say === "rotate") provider = null;
  process.send?.({ done: instructions.say });
});
process.on("disconnect", () => process.exit());
process.send?.({ issuer });
