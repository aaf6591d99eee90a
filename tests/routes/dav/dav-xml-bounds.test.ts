import { describe, expect, it } from "vitest";
import { createDavClient } from "#tests/support/dav/dav-client.ts";
import { newPersonId } from "#tests/support/given.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const OWNER_ID = newPersonId();
const client = await createDavClient(web, OWNER_ID, "write");

const propfind = (properties: string) =>
  `<D:propfind xmlns:D="DAV:"><D:prop>${properties}</D:prop></D:propfind>`;

async function send(method: string, body: string, Depth = "0") {
  const response = await client.ask(method, "/", { Depth }, body);
  return { status: response.status, xml: await response.text() };
}

/** One declaration of a long namespace, used by many short elements. */
const repeated = (elements: number, namespace: number) =>
  `<D:prop xmlns:x="${"n".repeat(namespace)}">${"<x:a/>".repeat(elements)}</D:prop>`;

describe("XML that a WebDAV client sends", () => {
  it.each([
    ["PROPFIND", (inner: string) => `<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`],
    [
      "PROPPATCH",
      (inner: string) => `<D:propertyupdate xmlns:D="DAV:"><D:set>${inner}</D:set></D:propertyupdate>`,
    ],
    [
      "LOCK",
      (inner: string) =>
        `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${inner}</D:owner></D:lockinfo>`,
    ],
  ])("is refused by %s if its elements repeat a long namespace", async (method, wrap) => {
    const usual = await send(method, wrap(repeated(2, 20)));
    expect(usual.xml).not.toContain("is not XML");

    const refused = await send(method, wrap(repeated(1_900, 40_000)));

    expect(refused.status).toBe(400);
    expect(refused.xml).toContain("repeat too long a namespace");
    expect(refused.xml.length).toBeLessThan(1_000);
  });

  it("is answered with each property once, and refused if it names more than any client", async () => {
    const twice = await send("PROPFIND", propfind('<a xmlns="urn:x"/><a xmlns="urn:x"/>'));
    expect(twice.xml.match(/urn:x/g)).toHaveLength(1);

    const names = Array.from({ length: 201 }, (_, n) => `<D:a${n}/>`);
    expect((await send("PROPFIND", propfind(names.slice(1).join("")))).status).toBe(207);
    expect((await send("PROPFIND", propfind(names.join("")))).status).toBe(400);
  });
});

it("a folder of thousands repeats the names that its members do not have up to a limit, and lists all members", async () => {
  const FOLDERS = 1_000;
  const entries = Array.from({ length: FOLDERS }, (_, n) => [
    n.toString(16).padStart(24, "0"),
    {
      parent_id: null,
      name: `f${n}`,
      created_at: web.clock(),
      updated_at: web.clock(),
      deleted_at: null,
      expires_at: null,
    },
  ]);
  const doc = { revision: 1, folders: Object.fromEntries(entries), expires_at: null };
  await web.db.folder_trees.replaceOne({ _id: OWNER_ID }, doc, { upsert: true });
  const names = Array.from({ length: 200 }, (_, n) => `<D:unknown-${n}/>`).join("");

  const { status, xml } = await send("PROPFIND", propfind(names), "1");

  expect(status).toBe(207);
  expect(xml.match(/<D:response>/g)).toHaveLength(FOLDERS + 1);
  expect(xml).toContain("unknown-199");
  expect(xml.length).toBeLessThan(1_500_000);
});
