import { describe, expect, it } from "vitest";
import { sameSitePath } from "#domain/same-site-path.ts";

describe("the way back after signing in", () => {
  it.each(["/", "/files?lang=python&sort=created_at_asc", "/file/1#L4-L8", "/%D7%A9", "/a?next=http://b"])(
    "may be %s",
    (path) => {
      expect(sameSitePath(path, "/home")).toBe(path);
    },
  );

  it.each([
    ["another site", "https://evil.example/"],
    ["another site without a scheme", "//evil.example/"],
    ["slashes a browser would turn around", "/\\evil.example"],
    ["slashes a browser would turn around twice", "\\\\evil.example"],
    ["a tab a browser would drop", "/\t/evil.example"],
    ["a newline a browser would drop", "/\n/evil.example"],
    ["dots that end in two slashes", "/.//evil.example"],
    ["a script", "javascript:alert(1)"],
    ["a path of its own", "files"],
    ["nothing", null],
    ["a list", ["/files"]],
    ["far too long", `/${"a".repeat(3000)}`],
  ])("may not be %s", (_, path) => {
    expect(sameSitePath(path, "/home")).toBe("/home");
  });
});
