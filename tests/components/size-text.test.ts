import { expect, it } from "vitest";
import { formatBytesBesideLimit } from "#app/web/ui/size-text.ts";

const LIMIT = 2 * 1024 * 1024;

it.each([
  [LIMIT, "2 MiB"],
  [LIMIT + 1, "2,097,153 B"],
  [LIMIT * 1.5, "3 MiB"],
  [12, "12 B"],
])("a size of %d bytes beside its limit never reads as the limit that it exceeds", (bytes, text) => {
  expect(formatBytesBesideLimit(bytes, LIMIT)).toBe(text);
});
