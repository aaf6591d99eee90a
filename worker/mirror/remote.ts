import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLocalRemote } from "#domain/repos/repo.ts";
import { isOutboundUrl } from "#platform/outbound/outbound.ts";
import { isPublicAddress } from "#platform/outbound/public-address.ts";
import { GitFault } from "#worker/mirror/git.ts";

/**
 * Decides how git reaches a remote. git would resolve names itself, so each name is resolved and checked here and git is pinned
 * to the public addresses: a name cannot change its address before the connection.
 */
type Remote = { protocols: string[]; settings: Record<string, string> };
export type LookUp = (host: string) => Promise<{ address: string }[]>;
type RemoteRule = { allowLocal: boolean; lookUp?: LookUp; caFile?: string | null };

const lookUpAll: LookUp = (host) => lookup(host, { all: true });
const HTTPS_PORT = "443";
/** Hosts expect a user beside the token but ignore its name. */
const TOKEN_USER = "x-access-token";

export async function prepareRemote(url: string, token: string | null, rule: RemoteRule): Promise<Remote> {
  const { allowLocal, lookUp = lookUpAll } = rule;
  const { protocol, hostname, port, origin } = new URL(url);
  const base = { ...allowOrigin(origin), ...toAuthorization(token), ...toTrustSettings(rule) };
  const protocols = [protocol.slice(0, -1)];
  if (isLocalRemote(url)) {
    if (!allowLocal) throw new GitFault("address_refused");
    return { protocols, settings: base };
  }
  if (!isOutboundUrl(url, { allowLoopback: false })) throw new GitFault("address_refused");
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return { protocols, settings: base };
  const resolved = await lookUp(host).catch(() => {
    throw new GitFault("unreachable");
  });
  const addresses = resolved.map(({ address }) => address).filter(isPublicAddress);
  if (addresses.length === 0) throw new GitFault("address_refused");
  const pins = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",");
  const settings = { "http.curloptResolve": `${host}:${port || HTTPS_PORT}:${pins}`, ...base };
  return { protocols, settings };
}

/**
 * A server can name addresses of further packs (`packfile-uris`), and git fetches them although it never offered to. So all
 * requests except those to the checked origin go through a proxy that git cannot parse.
 */
const allowOrigin = (origin: string) => ({ [`http.${origin}/.proxy`]: "" });

/** Trusts the operator's certificates, otherwise the machine's. */
function toTrustSettings({ caFile }: RemoteRule): Record<string, string> {
  return caFile ? { "http.sslCAInfo": caFile } : {};
}

function toAuthorization(token: string | null): Record<string, string> {
  if (token === null) return {};
  const basic = Buffer.from(`${TOKEN_USER}:${token}`).toString("base64");
  return { "http.extraHeader": `Authorization: Basic ${basic}` };
}
