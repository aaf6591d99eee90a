import { isIPv6, SocketAddress } from "node:net";

const PREFIX_GROUPS = 4;
const GROUPS = 8;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Identifies a caller who is not signed in: an IPv4 address, or the /64 network of an IPv6 address, which is the least that a provider
 * gives one customer. IPv4 written as IPv6 counts as IPv4.
 */
export function toClientNetwork(address: string | undefined): string {
  const plain = address?.replace(/%.*$/, "") ?? "unknown";
  if (!isIPv6(plain)) return plain;
  // Normalizes every spelling of an address to the one of RFC 5952.
  const { address: canonical } = new SocketAddress({ address: plain, family: "ipv6" });
  const mapped = MAPPED_IPV4.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = "", after] = canonical.split("::");
  const groupsBefore = before === "" ? [] : before.split(":");
  const groupsAfter = after ? after.split(":") : [];
  const zeros = after === undefined ? 0 : GROUPS - groupsBefore.length - groupsAfter.length;
  const all = [...groupsBefore, ...Array<string>(zeros).fill("0"), ...groupsAfter];
  return `${all.slice(0, PREFIX_GROUPS).join(":")}::/64`;
}
