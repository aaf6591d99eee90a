import { describe, expect, it } from "vitest";
import { isFresh, parseWidgetLogin, toSignedText } from "#domain/accounts/messenger-auth.ts";

const received = { id: 666666666, first_name: "John", auth_date: 1543194375, hash: "0".repeat(64) };

describe("what the widget sends", () => {
  it("is read from numbers and from their digits alike", () => {
    const numbers = parseWidgetLogin(received);
    const digits = parseWidgetLogin({ ...received, id: "666666666", auth_date: "1543194375" });
    expect(numbers).toMatchObject({
      profile: { id: "666666666", first_name: "John" },
      authDateSeconds: 1543194375,
    });
    expect(digits).toEqual(numbers);
  });

  it.each(["id", "auth_date", "hash"])("must have %s", (name) => {
    expect(parseWidgetLogin({ ...received, [name]: undefined })).toMatchObject({ refused: "missing_field" });
    expect(parseWidgetLogin({ ...received, [name]: "" })).toMatchObject({ refused: "missing_field" });
  });

  it.each([
    ["an upper-case hash", { hash: "A".repeat(64) }],
    ["a short hash", { hash: "0".repeat(63) }],
    ["a long hash", { hash: "0".repeat(65) }],
    ["a hash that is a list", { hash: ["0".repeat(64)] }],
    ["a signed id", { id: "-5" }],
    ["an id with a space", { id: " 5" }],
    ["an id with an exponent", { id: "5e3" }],
    ["a fractional id", { id: 5.5 }],
    ["an id beyond exact numbers", { id: 2 ** 60 }],
    ["an auth_date with a sign", { auth_date: "+1543194375" }],
    ["an auth_date with an exponent", { auth_date: "1e9" }],
    ["a value that is a list", { first_name: ["John"] }],
    ["a value that is an object", { first_name: { a: 1 } }],
    ["a value that is true", { first_name: true }],
    ["a value that is null", { first_name: null }],
    ["a newline in a value", { first_name: "Bob\nid=999" }],
    ["a newline in the id", { id: "999\nid=5" }],
    ["an equals sign in a name", { "first_name=x": "y" }],
    ["half a surrogate pair", { first_name: "\ud800" }],
  ])("may not contain %s", (_, change) => {
    expect(parseWidgetLogin({ ...received, ...change })).toMatchObject({ refused: "invalid_hash" });
  });

  it("is signed field by field in the order of the names", () => {
    expect(toSignedText({ username: "u", id: "5", auth_date: "9" })).toBe("auth_date=9\nid=5\nusername=u");
  });

  it("shows a picture only from https", () => {
    expect(parseWidgetLogin({ ...received, photo_url: "javascript:alert(1)" })).toMatchObject({
      profile: { photo_url: null },
    });
  });
});

describe("the age of a sign-in", () => {
  const age = (seconds: number) => isFresh(1_543_200_000 - seconds, new Date(1_543_200_000_000), 86_400);

  it("may be a day and not a second more", () => {
    expect([age(0), age(86_400), age(86_401)]).toEqual([true, true, false]);
  });

  it("may be five minutes in the future, for clocks that differ", () => {
    expect([age(-300), age(-301)]).toEqual([true, false]);
  });
});
