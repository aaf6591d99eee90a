import { Binary, BSON, DBRef, Double, Int32, Long, ObjectId, UUID } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

const given = await givenStore();

const VALUES: [string, unknown][] = [
  ["a double", new Double(1.5)],
  ["a double without fraction", new Double(2)],
  ["negative zero", new Double(-0)],
  ["not a number", new Double(Number.NaN)],
  ["infinity", new Double(Number.POSITIVE_INFINITY)],
  ["a 32-bit integer", new Int32(-7)],
  ["a 64-bit integer", Long.fromNumber(7)],
  ["the largest 64-bit integer", Long.MAX_VALUE],
  ["a string", "straße 🙂"],
  ["a string with a zero byte", "a\u0000b"],
  ["an empty string", ""],
  ["true", true],
  ["false", false],
  ["null", null],
  ["a date", new Date("2024-02-29T12:34:56.789Z")],
  ["a date before 1970", new Date(-1)],
  ["an ObjectId", new ObjectId("65f0a1b2c3d4e5f6a7b8c9d0")],
  ["generic bytes", new Binary(Buffer.from([0, 255, 1]), 0)],
  ["no bytes", new Binary(Buffer.alloc(0), 0)],
  ["a UUID", new UUID("0d9a2f3c-6a1e-4b5d-8c7f-112233445566")],
  ["bytes of a user's own subtype", new Binary(Buffer.from([1, 2]), 128)],
  ["a database reference", new DBRef("files", new ObjectId("65f0a1b2c3d4e5f6a7b8c9d0"))],
  ["an empty document", {}],
  ["a nested document", { a: { b: new Int32(1) } }],
  ["an empty array", []],
  ["an array of mixed types", [new Int32(1), "a", null, [new Double(2)], { a: true }]],
];

describe("a stored value comes back byte for byte", () => {
  test.each(VALUES)("as %s", async (_what, value) => {
    const document = { _id: new Int32(1), value, list: [value], inner: { value } };
    const shelf = await given.collection([document]);

    const bytes = await rawDocument(shelf.collectionName);

    expect(bytes).toEqual(Buffer.from(BSON.serialize(document)));
  });
});

describe("the order of fields", () => {
  test("is kept, names that look like numbers included", async () => {
    const fields = new Map<string, unknown>([
      ["_id", new Int32(1)],
      ["b", new Int32(1)],
      ["10", new Int32(2)],
      ["2", new Int32(3)],
      ["a", new Int32(4)],
      ["__proto__", new Int32(5)],
    ]);
    const shelf = given.emptyCollection();

    await given.db.command({ insert: shelf.collectionName, documents: [fields] });

    expect(await rawDocument(shelf.collectionName)).toEqual(Buffer.from(BSON.serialize(fields)));
  });
});

describe("sorting", () => {
  const inOrder: unknown[] = [
    null,
    new Double(Number.NaN),
    new Double(Number.NEGATIVE_INFINITY),
    new Int32(-1),
    new Double(0.5),
    Long.ONE,
    new Double(1.5),
    "",
    "B",
    "a",
    "ä",
    {},
    { a: 1 },
    { a: 1, b: 1 },
    { b: 0 },
    { a: "x" },
    new Binary(Buffer.from([9]), 0),
    new Binary(Buffer.from([1, 1]), 0),
    new ObjectId("000000000000000000000001"),
    new ObjectId("000000000000000000000002"),
    false,
    true,
    new Date(-5),
    new Date(5),
  ];
  const expected = inOrder.map((_, index) => index);

  test.each([
    ["without an index", false],
    ["by an index", true],
  ])("puts mixed types in one fixed order, %s", async (_how, indexed) => {
    const shelf = given.emptyCollection<{ _id: number; v: unknown }>();
    const shuffled = inOrder
      .map((v, _id) => ({ _id, v }))
      .sort((x, y) => ((x._id * 7) % 29) - ((y._id * 7) % 29));
    await shelf.insertMany(shuffled);
    if (indexed) await shelf.createIndex({ v: 1 });

    const ascending = await shelf.find().sort({ v: 1 }).toArray();
    const descending = await shelf.find().sort({ v: -1 }).toArray();

    expect(ascending.map(({ _id }) => _id)).toEqual(expected);
    expect(descending.map(({ _id }) => _id)).toEqual(expected.toReversed());
  });
});

/** The bytes of the only document, untouched by the driver. */
async function rawDocument(collection: string): Promise<Buffer> {
  const bytes = await given.db.collection(collection).findOne({}, { raw: true });
  return Buffer.from(bytes as unknown as Uint8Array);
}
