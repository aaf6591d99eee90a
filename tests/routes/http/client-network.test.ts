import { describe, expect, it } from "vitest";
import { clientNetwork } from "#app/http/door/client-network.ts";

describe("what counts as one caller", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:c000:0207", "192.0.2.7"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff:1:2:3", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["2001:db8:a:b:c:d:1.2.3.4", "2001:db8:a:b::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::/64"],
    ["2001::1:0:0:0:1", "2001:0:0:1::/64"],
    ["no address", "no address"],
  ])("of %s is %s", (address, network) => expect(clientNetwork(address)).toBe(network));
});
