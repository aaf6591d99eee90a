import { BlockList, isIP } from "node:net";

/**
 * Decides which addresses are public, by the registries of special-purpose addresses. Anything not certainly public counts as
 * private: of IPv6 only global unicast is public, without forms that wrap another address (mapped, translated, tunnelled).
 */
const PRIVATE_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;
const PUBLIC_IPV6 = [["2000::", 3]] as const;
const PRIVATE_IPV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const privateIpv4 = toBlockList(PRIVATE_IPV4, "ipv4");
const publicIpv6 = toBlockList(PUBLIC_IPV6, "ipv6");
const privateIpv6 = toBlockList(PRIVATE_IPV6, "ipv6");

function toBlockList(ranges: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

/** Returns false for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateIpv4.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  return publicIpv6.check(address, "ipv6") && !privateIpv6.check(address, "ipv6");
}
