import { describe, expect, it } from "vitest";
import {
  checkTokenName,
  isTokenShaped,
  scopeAllows,
  TOKEN_LIFETIME_MAX_DAYS,
  TOKEN_LIFETIMES_DAYS,
  TOKEN_PREFIX,
  TOKEN_SCOPES,
  TOKENS_MAX,
} from "#domain/accounts/access-token.ts";
import { deviceKind } from "#domain/accounts/device.ts";

describe("an access token", () => {
  it("that reads changes nothing, and one that writes may do both", () => {
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    expect(methods.filter((method) => scopeAllows("read", method))).toEqual(["GET", "HEAD"]);
    expect(methods.filter((method) => scopeAllows("write", method))).toEqual(methods);
    expect([...TOKEN_SCOPES]).toEqual(["read", "write"]);
  });

  it("is known by its looks", () => {
    const good = `cs_${"aB3_-".repeat(9).slice(0, 43)}`;
    expect([good, `${good}x`, good.slice(1), ` ${good}`, `${good}\n`].filter(isTokenShaped)).toEqual([good]);
    expect(good.startsWith(TOKEN_PREFIX)).toBe(true);
  });

  it("has a name of 1 to 60 characters on one line", () => {
    expect(checkTokenName(" laptop ")).toBe("laptop");
    expect(checkTokenName("🙂".repeat(60))).toBe("🙂".repeat(60));
    for (const name of ["", "  ", "x".repeat(61), "a\u0000b"])
      expect(checkTokenName(name)).toEqual({ refused: "invalid_token_name", context: { max: 60 } });
  });

  it("lives as long as the form offers or a program says, among twenty at most", () => {
    expect([...TOKEN_LIFETIMES_DAYS]).toEqual([7, 30, 90, 365, null]);
    expect([TOKEN_LIFETIME_MAX_DAYS, TOKENS_MAX]).toEqual([3_650, 20]);
  });
});

it.each([
  ["edge", "windows", "Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36 Edg/120.0"],
  ["opera", "linux", "Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36 OPR/106.0"],
  ["samsung", "android", "Mozilla/5.0 (Linux; Android 14) SamsungBrowser/23.0 Chrome/115.0 Safari/537.36"],
  ["firefox", "macos", "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.1) Gecko/20100101 Firefox/121.0"],
  ["chrome", "ios", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1) CriOS/120.0 Safari/604.1"],
  ["safari", "ios", "Mozilla/5.0 (iPad; CPU OS 17_1) Version/17.1 Safari/604.1"],
  ["other", "linux", "curl/8 (CrOS)"],
  ["other", "other", "curl/8.5"],
])("a device is %s on %s", (browser, system, userAgent) => {
  expect(deviceKind(userAgent)).toEqual({ browser, system });
});
