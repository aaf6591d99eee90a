import { isIPv6, SocketAddress } from "node:net";

const PREFIX_GROUPS = 4;
const GROUPS = 8;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * What counts as one caller before anybody is logged in: an address of IPv4, or the /64 network of one of IPv6, which is the
 * least that a provider gives to one customer. IPv4 written in IPv6 is IPv4.
 */
export function clientNetwork(address: string | undefined): string {
  const plain = address?.replace(/%.*$/, "") ?? "unknown";
  if (!isIPv6(plain)) return plain;
  // Every spelling of an address becomes the one of RFC 5952.
  const { address: canonical } = new SocketAddress({ address: plain, family: "ipv6" });
  const mapped = MAPPED_IPV4.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = "", after] = canonical.split("::");
  const groups = before === "" ? [] : before.split(":");
  const last = after ? after.split(":") : [];
  const zeros = after === undefined ? 0 : GROUPS - groups.length - last.length;
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...last];
  return `${all.slice(0, PREFIX_GROUPS).join(":")}::/64`;
}
