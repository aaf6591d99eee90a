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

  test.each(VALUES)("after an update of another field, as %s", async (_what, value) => {
    const document = { _id: new Int32(1), value, list: [value], n: new Int32(1) };
    const shelf = await given.collection([document]);

    await shelf.updateOne({}, { $set: { n: new Int32(2) } });

    const bytes = await rawDocument(shelf.collectionName);
    expect(bytes).toEqual(Buffer.from(BSON.serialize({ ...document, n: new Int32(2) })));
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

  test("stays when a value changes, and new fields go to the end", async () => {
    const shelf = await given.collection([{ _id: 1, z: 1, a: 1 }]);

    await shelf.updateOne({}, { $set: { z: 2, m: 3 } });

    const found = await shelf.findOne();
    expect(Object.entries(found ?? {})).toEqual([
      ["_id", 1],
      ["z", 2],
      ["a", 1],
      ["m", 3],
    ]);
  });
});

describe("numbers", () => {
  test("an increment of an integer by an integer stays an integer", async () => {
    const shelf = await given.collection([{ i: new Int32(1), l: Long.ONE, d: new Double(1) }]);

    await shelf.updateOne({}, { $inc: { i: new Int32(1), l: new Int32(1), d: new Int32(1) } });

    const found = await shelf.findOne({}, { promoteValues: false, projection: { _id: 0 } });
    expect(found).toEqual({ i: new Int32(2), l: Long.fromNumber(2), d: new Double(2) });
  });

  test("a 32-bit integer that overflows becomes a 64-bit integer", async () => {
    const shelf = await given.collection([{ i: new Int32(2 ** 31 - 1) }]);

    await shelf.updateOne({}, { $inc: { i: new Int32(1) } });

    const found = await shelf.findOne({}, { promoteValues: false, projection: { _id: 0 } });
    expect(found).toEqual({ i: Long.fromNumber(2 ** 31) });
  });

  test("a 64-bit integer that would overflow is refused", async () => {
    const shelf = await given.collection([{ i: Long.MAX_VALUE }]);

    await expect(shelf.updateOne({}, { $inc: { i: new Int32(1) } })).rejects.toMatchObject({ code: 2 });
  });

  test("integers beyond 2^53 are told apart", async () => {
    const big = Long.fromString("9007199254740993");
    const shelf = await given.collection([
      { _id: 1, n: big },
      { _id: 2, n: big.subtract(1) },
    ]);

    expect(await shelf.find({ n: big }).toArray()).toHaveLength(1);
    const beyond = await shelf.find({ n: { $gt: new Double(2 ** 53) } as never }).toArray();
    expect(beyond.map(({ _id }) => _id)).toEqual([1]);
  });
});

describe("null and missing", () => {
  const documents = [
    { _id: 1, a: null },
    { _id: 2 },
    { _id: 3, a: 1 },
    { _id: 4, a: [] },
    { _id: 5, a: [null] },
  ];

  test.each([
    ["equality with null finds both", { a: null }, [1, 2, 5]],
    ["$exists false finds only the missing", { a: { $exists: false } }, [2]],
    ["$exists true finds null too", { a: { $exists: true } }, [1, 3, 4, 5]],
    ["$ne null finds neither", { a: { $ne: null } }, [3, 4]],
    ["$in with null finds both", { a: { $in: [null, 1] } }, [1, 2, 3, 5]],
    ["$lte null finds both", { a: { $lte: null } }, [1, 2, 5]],
    ["a comparison with a number finds neither", { a: { $lt: 5 } }, [3]],
  ])("%s, with and without an index", async (_claim, filter, expected) => {
    const shelf = await given.collection(documents as { _id: number; a?: unknown }[]);

    const scanned = await shelf.find(filter).sort({ _id: 1 }).toArray();
    await shelf.createIndex({ a: 1 });
    const indexed = await shelf.find(filter).hint({ a: 1 }).sort({ _id: 1 }).toArray();

    expect(scanned.map(({ _id }) => _id)).toEqual(expected);
    expect(indexed.map(({ _id }) => _id)).toEqual(expected);
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

  test("by several fields uses each in its own direction", async () => {
    const shelf = await given.collection([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
      { _id: 3, a: 0, b: 9 },
    ]);

    const found = await shelf.find().sort({ a: -1, b: 1 }).toArray();

    expect(found.map(({ _id }) => _id)).toEqual([1, 2, 3]);
  });
});

/** The bytes of the only document, untouched by the driver. */
async function rawDocument(collection: string): Promise<Buffer> {
  const bytes = await given.db.collection(collection).findOne({}, { raw: true });
  return Buffer.from(bytes as unknown as Uint8Array);
}
