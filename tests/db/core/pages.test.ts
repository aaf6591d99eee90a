import { type Document, ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { type KeyOrder, readInPages } from "#db/core/pages.ts";
import { required } from "#domain/required.ts";
import { openTestStore } from "#tests/support/store.ts";

const { mongo } = await openTestStore();
const shelf = mongo.collection("walked");

type Row = { _id: ObjectId; shelf: string; at: number };

/** Thirty rows, three at each time, unordered. */
async function givenRows(): Promise<Row[]> {
  await shelf.deleteMany({});
  const rows = Array.from({ length: 30 }, (_, i) => ({ _id: new ObjectId(), shelf: "a", at: (i * 7) % 10 }));
  await shelf.insertMany([...rows, { _id: new ObjectId(), shelf: "b", at: 3 }]);
  return rows;
}

const inOrder = (rows: Row[], order: KeyOrder) =>
  rows
    .toSorted((a, b) => {
      for (const [field, direction] of Object.entries(order)) {
        const [x, y] = [a, b].map((row) => String((row as Document)[field]));
        if (x !== y) return required(x) < required(y) ? -direction : direction;
      }
      return 0;
    })
    .map(({ _id }) => String(_id));

async function walk(
  order: KeyOrder,
  pageSize: number,
  between: (met: number) => Promise<unknown> = async () => {},
) {
  const met: string[] = [];
  for await (const { _id } of readInPages(shelf, { filter: { shelf: "a" }, order, pageSize })) {
    met.push(String(_id));
    await between(met.length);
  }
  return met;
}

const ORDERS: KeyOrder[] = [
  { _id: 1 },
  { _id: -1 },
  { at: 1, _id: 1 },
  { at: -1, _id: -1 },
  { at: -1, _id: 1 },
];

it.each(ORDERS.flatMap((order) => [1, 2, 7, 15, 30, 31].map((pageSize) => [order, pageSize] as const)))(
  "a walk by %o in pages of %i meets every document once, in order",
  async (order, pageSize) => {
    const rows = await givenRows();

    expect(await walk(order, pageSize)).toEqual(inOrder(rows, order));
  },
);

it("a projection may leave the key out", async () => {
  const rows = await givenRows();

  const read: Document[] = [];
  const order = { at: 1, _id: 1 } as const;
  const projection = { shelf: 1 };
  for await (const row of readInPages(shelf, { filter: { shelf: "a" }, order, projection, pageSize: 4 }))
    read.push(row);

  expect(read.map(({ _id }) => String(_id))).toEqual(inOrder(rows, order));
  expect(read[0]).toHaveProperty("shelf", "a");
});

it("what comes and goes during a walk neither hides nor repeats what stays", async () => {
  const rows = await givenRows();
  const order = { at: 1, _id: 1 } as const;
  const before = inOrder(rows, order);
  const gone = [before[5], before[6], before[20]];
  const stays = before.filter((id) => !gone.includes(id));

  const met = await walk(order, 6, async (count) => {
    if (count !== 6) return;
    await shelf.deleteMany({ _id: { $in: gone.map((id) => new ObjectId(id)) } });
    await shelf.insertMany([0, 5, 9].map((at) => ({ _id: new ObjectId(), shelf: "a", at })));
  });

  expect(met.filter((id) => stays.includes(id))).toEqual(stays);
  expect(new Set(met).size).toBe(met.length);
});
