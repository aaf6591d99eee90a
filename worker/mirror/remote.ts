import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLocalRemote } from "#domain/repos/repo.ts";
import { isOutboundUrl } from "#platform/outbound/outbound.ts";
import { isPublicAddress } from "#platform/outbound/public-address.ts";
import { GitFault } from "#worker/mirror/git.ts";

/**
 * How git reaches a remote. It resolves names by itself, so each name is resolved here first, judged, and git is pinned to the
 * public addresses found: a name cannot stand for another address when it is connected to.
 */
type Remote = { protocols: string[]; settings: Record<string, string> };
export type LookUp = (host: string) => Promise<{ address: string }[]>;
type RemoteRule = { allowLocal: boolean; lookUp?: LookUp; caFile?: string | null };

const lookUpAll: LookUp = (host) => lookup(host, { all: true });
const HTTPS_PORT = "443";
/** The name that hosts take beside a token; which one, they do not look at. */
const TOKEN_USER = "x-access-token";

export async function reachRemote(url: string, token: string | null, rule: RemoteRule): Promise<Remote> {
  const { allowLocal, lookUp = lookUpAll } = rule;
  const { protocol, hostname, port, origin } = new URL(url);
  const means = { ...allowOrigin(origin), ...authorizationHeader(token), ...trustSettings(rule) };
  const protocols = [protocol.slice(0, -1)];
  if (isLocalRemote(url)) {
    if (!allowLocal) throw new GitFault("address_refused");
    return { protocols, settings: means };
  }
  if (!isOutboundUrl(url, { allowLoopback: false })) throw new GitFault("address_refused");
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return { protocols, settings: means };
  const found = await lookUp(host).catch(() => {
    throw new GitFault("unreachable");
  });
  const addresses = found.map(({ address }) => address).filter(isPublicAddress);
  if (addresses.length === 0) throw new GitFault("address_refused");
  const pinned = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",");
  const settings = { "http.curloptResolve": `${host}:${port || HTTPS_PORT}:${pinned}`, ...means };
  return { protocols, settings };
}

/**
 * A server can name addresses of further packs (`packfile-uris`), and git asks them although it never offered to. All requests
 * go through a proxy that git cannot parse, except those to the origin that was judged.
 */
const allowOrigin = (origin: string) => ({ [`http.${origin}/.proxy`]: "" });

/** Whose certificates count: those that the operator names, else those that this machine trusts. */
function trustSettings({ caFile }: RemoteRule): Record<string, string> {
  return caFile ? { "http.sslCAInfo": caFile } : {};
}

function authorizationHeader(token: string | null): Record<string, string> {
  if (token === null) return {};
  const basic = Buffer.from(`${TOKEN_USER}:${token}`).toString("base64");
  return { "http.extraHeader": `Authorization: Basic ${basic}` };
}
