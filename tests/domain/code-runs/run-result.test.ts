import { expect, it } from "vitest";
import { runResultExpiry } from "#domain/code-runs/run-result.ts";

it("keeps the result of a run for thirty days", () => {
  expect(runResultExpiry(new Date("2037-01-01T12:00:00Z"))).toEqual(new Date("2037-01-31T12:00:00Z"));
});
