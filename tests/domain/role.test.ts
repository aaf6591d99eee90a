import { describe, expect, it } from "vitest";
import { effectiveRole, mayRunCode } from "#domain/accounts/role.ts";

const appointed = { adminUserIds: ["1"], premiumUserIds: ["1", "2"] };

describe("a role", () => {
  it("is what the environment says before what is stored", () => {
    expect(effectiveRole("1", "regular", appointed)).toBe("admin");
    expect(effectiveRole("2", "admin", appointed)).toBe("premium");
    expect(effectiveRole("3", "premium", appointed)).toBe("premium");
  });

  it("lets premium users and administrators run code", () => {
    expect((["regular", "premium", "admin"] as const).map(mayRunCode)).toEqual([false, true, true]);
  });
});
