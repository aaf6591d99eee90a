import { expect, test } from "vitest";
import { Store } from "#db/engine/storage/store.ts";
import { encode } from "#db/engine/values/bson.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { docFromEjson } from "./ejson.ts";

needsEngine("it tests functions of the engine");

const note = (_id: number) => encode(docFromEjson({ _id }));

test("a collection that is not finished is listed nowhere, and gone after a restart", async () => {
  const directory = await temporaryDirectory("unseen");
  const store = new Store({ directory, sync: "normal" });
  const unseen = store.createUnseen();
  unseen.insert(note(1));
  store.create("shelf", "notes").insert(note(2));

  expect(store.all().map(({ namespace }) => namespace)).toEqual(["shelf.notes"]);
  store.close();
  const reopened = new Store({ directory, sync: "normal" });

  expect(reopened.list(unseen.db)).toEqual([]);
  expect(reopened.find("shelf", "notes")?.count).toBe(1);
  reopened.close();
});

test("a collection that takes another's place keeps it after a restart, with its indexes", async () => {
  const directory = await temporaryDirectory("unseen");
  const store = new Store({ directory, sync: "normal" });
  const old = store.create("shelf", "notes");
  old.insert(note(1));
  const made = store.createUnseen();
  made.createIndexes([docFromEjson({ name: "a", key: { a: 1 } })]);
  made.insert(note(2));
  made.insert(note(3));

  store.rename(made, "shelf", "notes");
  expect(old.dropped).toBe(true);
  expect(store.find("shelf", "notes")?.count).toBe(2);
  store.close();
  const reopened = new Store({ directory, sync: "normal" });

  expect(reopened.find("shelf", "notes")?.count).toBe(2);
  expect(reopened.find("shelf", "notes")?.indexes.map(({ name }) => name)).toEqual(["a"]);
  reopened.close();
});
