import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDepth, parseLockToken, parseOverwrite, parseTimeout } from "#domain/dav/dav-headers.ts";
import {
  addLock,
  checkLocks,
  type DavLock,
  LOCKS_MAX,
  refreshLock,
  removeLocks,
} from "#domain/dav/dav-lock.ts";
import { parseDavPath, parseDestination, toHref, toPathKey } from "#domain/dav/dav-path.ts";
import { isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { setFolderProperties } from "#domain/dav/folder-properties.ts";
import { isIfHeaderMet, listTokens, parseIfHeader } from "#domain/dav/if-header.ts";
import { isJunkName } from "#domain/dav/junk-name.ts";
import { changeProperties, checkProperties } from "#domain/dav/property-changes.ts";
import { PROPERTIES_MAX } from "#domain/files/dead-property.ts";
import type { Folder } from "#domain/files/folders/folder-tree.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

const AT = new Date("2026-01-01T12:00:00Z");

describe("an address of WebDAV", () => {
  it("is read as names from the root", () => {
    expect(parseDavPath("/dav")).toEqual({ names: [], endsWithSlash: false });
    expect(parseDavPath("/dav/a%20b/c%2Bd/")).toEqual({ names: ["a b", "c+d"], endsWithSlash: true });
    expect(parseDavPath("/dav//a")).toEqual({ names: ["a"], endsWithSlash: false });
  });

  it.each([
    ["/files", 400],
    ["/davs/a", 400],
    ["/dav/a#b", 400],
    ["/dav/..", 400],
    ["/dav/%2e%2E/a", 400],
    ["/dav/a%2fb", 400],
    ["/dav/%ff", 400],
    [`/dav/${"d/".repeat(18)}`, 403],
  ])("%s is refused", (address, status) => {
    expect(parseDavPath(address)).toMatchObject({ status });
  });

  it("is written so that it is read as it was", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.boolean(), (names, isFolder) => {
        const path = parseDavPath(toHref(names, isFolder));
        if (isProblem(path))
          expect(names.some((name) => isProblem(parseDavPath(`/dav/${encodeURIComponent(name)}`)))).toBe(
            true,
          );
        else expect(path.names).toEqual(names);
      }),
    );
  });

  it("as a destination is on this server, whatever its scheme and port", () => {
    expect(parseDestination("https://box.example/dav/a", "box.example:443")).toMatchObject({ names: ["a"] });
    expect(parseDestination("/dav/a", "box.example")).toMatchObject({ names: ["a"] });
    expect(parseDestination("http://other.example/dav/a", "box.example")).toMatchObject({ status: 502 });
    expect(parseDestination("http://box.example/api", "box.example")).toMatchObject({ status: 403 });
    for (const wrong of [null, "", "a", "ftp://box.example/dav/a", "/dav/a?b"])
      expect(parseDestination(wrong, "box.example")).toMatchObject({ status: 400 });
  });

  it("has a key in which names of folders count in any case, and that of a file does not", () => {
    expect(toPathKey(["A", "B"], true)).toBe("/a/b/");
    expect(toPathKey(["A", "B"], false)).toBe("/a/B");
    expect(toPathKey([], true)).toBe("/");
  });
});

it("a header of depth, overwriting, time or token is read or refused", () => {
  expect(parseDepth(null, "infinity")).toBe("infinity");
  expect(parseDepth(" Infinity ", "0")).toBe("infinity");
  expect(parseDepth("2", "0")).toMatchObject({ status: 400 });
  expect([parseOverwrite(null), parseOverwrite("t"), parseOverwrite("F")]).toEqual([true, true, false]);
  expect(parseOverwrite("yes")).toMatchObject({ status: 400 });
  const times = ["Second-60", "Infinite, Second-9", "Second-0", "Second-99999", "x", null];
  expect(times.map(parseTimeout)).toEqual([60, 9, 1, 3600, 3600, 3600]);
  expect(parseLockToken(" <urn:a> ")).toBe("urn:a");
  expect(parseLockToken("urn:a")).toBeNull();
});

describe("an If header", () => {
  const state =
    (tokens: string[], etag: string | null = null) =>
    () => ({ tokens, etag });
  const parse = (header: string) => required(parseIfHeader(header), header);

  it("holds where all conditions of one list do", () => {
    const header = '(<urn:a> ["1"]) (Not <urn:b>)';
    expect(isIfHeaderMet(parse(header), state(["urn:a", "urn:b"], '"1"'))).toBe(true);
    expect(isIfHeaderMet(parse(header), state(["urn:a"], '"2"'))).toBe(true);
    expect(isIfHeaderMet(parse(header), state(["urn:b"], '"1"'))).toBe(false);
    expect(isIfHeaderMet(parse("(Not <DAV:no-lock>)"), state([]))).toBe(true);
    expect(isIfHeaderMet(parse('([W/"1"])'), state([], '"1"'))).toBe(false);
    expect(listTokens(parse(header))).toEqual(["urn:a", "urn:b"]);
  });

  it("may be about other addresses, of which nothing holds where there is none", () => {
    const lists = parse("<http://x/dav/a> (<urn:a>) (<urn:b>) <http://x/dav/b> (<urn:c>)");
    expect(lists.map(({ tag }) => tag)).toEqual(["http://x/dav/a", "http://x/dav/a", "http://x/dav/b"]);
    expect(isIfHeaderMet(lists, () => null)).toBe(false);
    const state = (tag: string | null) =>
      tag === "http://x/dav/b" ? { tokens: ["urn:c"], etag: null } : null;
    expect(isIfHeaderMet(lists, state)).toBe(true);
  });

  it.each([
    ...["", "()", "(", "(<a>", "<a>", "(<a>))", "(Not)", "(Not Not <a>)", "((<a>))", "x", "(<a b>)", '(["a)'],
  ])("%s is none", (header) => expect(parseIfHeader(header)).toBeNull());

  it("is read in one pass, and has so many lists at most", () => {
    expect(parseIfHeader("(<a>)".repeat(100))).toHaveLength(100);
    expect(parseIfHeader("(<a>)".repeat(101))).toBeNull();
  });
});

it("the names that systems and programs leave behind are junk", () => {
  const junk = ".DS_Store ._a Thumbs.db THUMBS.DB desktop.ini ~$a.docx .~lock.a.odt# .a.py.swp 4913".split(
    " ",
  );
  const others = "a .env _a ._ ~$ a.swp thumbs.dbx 49130 .gitignore .~lock.a".split(" ");
  expect(junk.filter((name) => !isJunkName(name))).toEqual([]);
  expect(others.filter(isJunkName)).toEqual([]);
});

describe("locks", () => {
  const lock = (path: string, more: Partial<DavLock> = {}): DavLock => ({
    token: `urn:${path}`,
    names: path.split("/").filter((name) => name !== ""),
    isFolder: path.endsWith("/"),
    scope: "exclusive",
    depth: path.endsWith("/") ? "infinity" : "0",
    owner: "",
    seconds: 60,
    expires_at: AT,
    ...more,
  });
  const target = (path: string) => ({
    names: path.split("/").filter((name) => name !== ""),
    isFolder: path.endsWith("/"),
  });

  const shared = { scope: "shared" } as const;
  it.each([
    ["with one on the same path", lock("a"), lock("a", { token: "2" }), true],
    ["not with one on a file whose name has another case", lock("a"), lock("A", { token: "2" }), false],
    ["with one around it, whatever the case of its name", lock("a/"), lock("A/b"), true],
    ["not with one on a folder alone", lock("a/", { depth: "0" }), lock("a/b"), false],
    ["with one within a folder", lock("a/b"), lock("a/"), true],
    ["not with one within a folder that is locked alone", lock("a/b"), lock("a/", { depth: "0" }), false],
    ["not with one beside it", lock("ab"), lock("a/"), false],
    ["not where both are shared", lock("a", shared), lock("a", { ...shared, token: "2" }), false],
    ["where one of them is shared", lock("a", shared), lock("a"), true],
  ])("clash %s", (_, existing, wanted, clashes) => {
    expect(isProblem(addLock([existing], wanted))).toBe(clashes);
  });

  it("are so many at most", () => {
    const many = Array.from({ length: LOCKS_MAX }, (_, i) => lock(`f${i}`));
    expect(addLock(many.slice(1), lock("one"))).toHaveLength(LOCKS_MAX);
    expect(addLock(many, lock("one"))).toMatchObject({ status: 507 });
  });

  it("forbid a change without a token, and one to the members of a folder", () => {
    const locks = [lock("a/", { depth: "0" })];
    expect(checkLocks(locks, target("a/b"), [])).toBeNull();
    expect(checkLocks(locks, { ...target("a/b"), changesParent: true }, [])).toMatchObject({ status: 423 });
    expect(checkLocks(locks, { ...target("a/b"), changesParent: true }, ["urn:a/"])).toBeNull();
  });

  it("run anew by a token that covers the path, and go with what they are on", () => {
    const locks = [lock("a/"), lock("b")];
    const later = { seconds: 9, expires_at: new Date(AT.getTime() + 9_000) };
    expect(refreshLock(locks, target("a/c"), ["urn:a/"], later)?.refreshed).toMatchObject(later);
    expect(refreshLock(locks, target("b"), ["urn:a/"], later)).toBeNull();
    expect(removeLocks([...locks, lock("a/c")], target("a/"))).toEqual([lock("b")]);
    expect(removeLocks(locks, target("B"))).toEqual(locks);
  });
});

describe("dead properties", () => {
  const property = (name: string, xml = "x") => ({ namespace: "urn:x", name, xml });
  const dates = { created_at: AT, updated_at: AT, deleted_at: null, expires_at: null };
  const folder = (id: string, more = {}): Folder => ({ id, parent_id: null, name: id, ...dates, ...more });

  it("change in the order of the changes", () => {
    const changes = [
      { set: property("a", "y") },
      { set: property("b") },
      { remove: { namespace: "urn:x", name: "b" } },
      { remove: { namespace: "urn:y", name: "a" } },
    ];
    expect(changeProperties([property("a")], changes)).toEqual([property("a", "y")]);
  });

  it("are so many, and have so many bytes, on one and on all folders", () => {
    const many = Array.from({ length: PROPERTIES_MAX }, (_, i) => property(`p${i}`));
    expect(checkProperties(many, 4_096)).toBeNull();
    expect(checkProperties([...many, property("more")], 4_096)).toMatchObject({ status: 507 });
    expect(checkProperties([property("long", "é".repeat(2_048))], 4_096)).toMatchObject({ status: 507 });
    const full = folder("full", { dead_properties: [property("long", "x".repeat(512 * 1024))] });
    const tree = new Map([full, folder("f")].map((entry) => [entry.id, entry]));
    expect(setFolderProperties(tree, "f", [{ set: property("a") }])).toMatchObject({ status: 507 });
    expect(setFolderProperties(new Map([["f", folder("f")]]), "f", [{ set: property("a") }])).toMatchObject({
      dead_properties: [property("a")],
    });
    expect(setFolderProperties(tree, "none", [])).toMatchObject({ status: 404 });
  });
});

it("a refusal of the library is told as WebDAV tells it", () => {
  expect(toProblem(Refusal("library_full"))).toMatchObject({ status: 507, condition: "quota-not-exceeded" });
  expect(toProblem(Refusal("binary_content"))).toMatchObject({ status: 415, code: "binary_content" });
  const limited = toProblem(Refusal("rate_limit_exceeded", { retry_after: 7 }));
  expect(limited).toMatchObject({ status: 429, retryAfter: 7 });
});
