import { expect, it } from "vitest";
import { isOpaqueId } from "#domain/opaque-id.ts";

const ID = "0123456789abcdef01234567";

it("is an id by its shape", () => {
  expect(isOpaqueId(ID)).toBe(true);
});

it.each([null, 7, "", ID.slice(1), `${ID}0`, ID.toUpperCase(), `${ID}\n`, "g".repeat(24)])(
  "is not %j",
  (value) => {
    expect(isOpaqueId(value)).toBe(false);
  },
);
