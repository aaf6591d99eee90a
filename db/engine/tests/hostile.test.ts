import { connect, type Socket } from "node:net";
import { BSON, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { present } from "../values/present.ts";
import { countRuns, drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";
import { startEngine } from "./start-engine.ts";

needsEngine("it breaks messages on the engine's own socket");

type Engine = Awaited<ReturnType<typeof startEngine>>;
let engine: Engine;
let client: MongoClient;

beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.uri, { serverSelectionTimeoutMS: 5_000 });
});
afterAll(async () => {
  await client.close();
  await engine.stop();
});

const socketPath = (): string =>
  decodeURIComponent(present(engine.uri.slice("mongodb://".length).split("/")[0]));

/** The kernel says EAGAIN, come again, if more connections wait than it keeps waiting. */
function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath());
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EAGAIN") setImmediate(() => open().then(resolve, reject));
      else reject(error);
    });
  });
}

/** Sends bytes; resolves when the server has closed the connection. */
async function refusedAfter(bytes: Buffer): Promise<void> {
  const socket = await open();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  socket.resume();
  socket.write(bytes);
  await closed;
}

function frame(body: Buffer, options: { length?: number; opcode?: number } = {}): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(options.length ?? body.length + 16, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(options.opcode ?? 2013, 12);
  return Buffer.concat([header, body]);
}

const flags = (value: number): Buffer => Buffer.from([value & 255, value >> 8, 0, 0]);
const section = (document: Buffer): Buffer => Buffer.concat([Buffer.from([0]), document]);
const ping = Buffer.from(BSON.serialize({ ping: 1, $db: "admin" }));

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
}

/** A document nested `depth` levels deep, written without recursion. */
function nested(depth: number): Buffer {
  let inner = Buffer.from(BSON.serialize({}));
  for (let i = 0; i < depth; i++)
    inner = Buffer.concat([int32(inner.length + 8), Buffer.from([3, 97, 0]), inner, Buffer.from([0])]);
  return inner;
}

const MALFORMED: Record<string, Buffer> = {
  "a negative length": frame(Buffer.alloc(0), { length: -1 }),
  "a length of two gigabytes": frame(Buffer.alloc(0), { length: 2 ** 31 - 1 }),
  "a length below its header": frame(Buffer.alloc(0), { length: 3 }),
  "an unknown opcode": frame(Buffer.alloc(8), { opcode: 9999 }),
  "a compressed message nobody agreed on": frame(Buffer.alloc(8), { opcode: 2012 }),
  "no body": frame(flags(0)),
  "two bodies": frame(Buffer.concat([flags(0), section(ping), section(ping)])),
  "an unknown section": frame(Buffer.concat([flags(0), Buffer.from([9]), ping])),
  "an unknown required flag": frame(Buffer.concat([flags(4), section(ping)])),
  "a document longer than its message": frame(
    Buffer.concat([flags(0), section(Buffer.concat([int32(1_000_000), Buffer.alloc(8)]))]),
  ),
  "a document of length zero": frame(Buffer.concat([flags(0), section(Buffer.alloc(5))])),
  "an unknown value type": frame(Buffer.concat([flags(0), section(Buffer.from([8, 0, 0, 0, 99, 97, 0, 0]))])),
  "a sequence that ends beyond the message": frame(
    Buffer.concat([flags(0), Buffer.from([1]), int32(5000), Buffer.from("documents\0")]),
  ),
};

describe("a malformed message", () => {
  test.for(drawRows("malformed messages", Object.entries(MALFORMED)))(
    "with %s closes its connection and no other",
    async ([, bytes]) => {
      await refusedAfter(bytes);
      expect(await client.db("admin").command({ ping: 1 })).toMatchObject({ ok: 1 });
    },
  );

  test("of random bytes, again and again, leaves the engine up", async () => {
    let seed = 42;
    const next = (): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed;
    };
    for (let round = 0; round < countRuns(1_000).numRuns; round++) {
      const socket = await open();
      const body = Buffer.from(Array.from({ length: next() % 200 }, () => next() & 255));
      socket.on("error", () => {});
      socket.end(round % 2 ? body : frame(body));
      await new Promise((resolve) => socket.once("close", resolve).resume());
    }
    expect(await client.db("admin").command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});

describe("a document that the engine cannot keep", () => {
  test.for([
    ["nested 200 levels deep", 15, () => BSON.deserialize(nested(200))],
    ["with a Decimal128", 238, () => ({ price: BSON.Decimal128.fromString("1.5") })],
    ["with a regular expression", 238, () => ({ text: /a/ })],
    ["with code", 238, () => ({ run: new BSON.Code("return 1") })],
    ["with a symbol", 238, () => ({ name: new BSON.BSONSymbol("a") })],
    ["with a timestamp", 238, () => ({ at: new BSON.Timestamp({ t: 1, i: 2 }) })],
    ["with MinKey", 238, () => ({ list: [new BSON.MinKey()] })],
    ["with MaxKey", 238, () => ({ inner: { last: new BSON.MaxKey() } })],
  ] as const)("%s is refused with a code, stored or asked for", async ([, code, make]) => {
    const odd = client.db("hostile").collection("odd");

    await expect(odd.insertOne({ ...make() })).rejects.toMatchObject({ code });
    await expect(odd.findOne({ ...make() })).rejects.toMatchObject({ code });

    expect(await odd.countDocuments()).toBe(0);
  });
});

describe("connections", () => {
  test("opened and dropped again and again leave none behind and memory bounded", async () => {
    const before = await client.db("admin").command({ serverStatus: 1 });
    const batches = countRuns(200).numRuns;
    for (let batch = 0; batch < batches; batch++) {
      const sockets = await Promise.all(Array.from({ length: 50 }, open));
      await Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve).destroy())),
      );
    }
    await expect
      .poll(async () => (await client.db("admin").command({ serverStatus: 1 })).connections.current)
      .toBeLessThanOrEqual(before.connections.current + 1);
    const after = await client.db("admin").command({ serverStatus: 1 });
    expect(after.connections.totalCreated - before.connections.totalCreated).toBeGreaterThanOrEqual(
      batches * 50,
    );
    expect(after.mem.resident - before.mem.resident).toBeLessThan(200);
  }, 60_000);
});

describe("a costly request", () => {
  test("does not keep others waiting: a ping gets through while a scan runs", async () => {
    const rows = client.db("hostile").collection("rows");
    await rows.insertMany(
      Array.from({ length: 20_000 }, (_, i) => ({ i, text: `row ${i} ${"x".repeat(500)}` })),
    );
    const order: string[] = [];

    const scan = rows
      .countDocuments({ text: { $regex: "nowhere", $options: "i" } })
      .then(() => order.push("scan"));
    const answer = client
      .db("admin")
      .command({ ping: 1 })
      .then(() => order.push("ping"));
    await Promise.all([scan, answer]);

    expect(order).toEqual(["ping", "scan"]);
  });

  test("with maxTimeMS ends with code 50", async () => {
    const rows = client.db("hostile").collection("rows");
    expect(await rows.estimatedDocumentCount()).toBeGreaterThan(10_000);
    await expect(
      rows.countDocuments({ text: { $regex: "nowhere", $options: "i" } }, { maxTimeMS: 5 }),
    ).rejects.toMatchObject({
      code: 50,
    });
  });
});

describe("the TCP way in", () => {
  test("lets nobody in without the password, and the owner with it", async () => {
    const guarded = await startEngine({ tcp: true });
    const { port } = new URL(guarded.uri);
    const stranger = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    const impostor = new MongoClient(
      `mongodb://codeshelf:wrong@127.0.0.1:${port}/?authSource=admin&directConnection=true`,
    );
    const owner = await MongoClient.connect(guarded.uri);

    await expect(stranger.db("a").collection("b").findOne()).rejects.toMatchObject({ code: 13 });
    await expect(impostor.connect()).rejects.toMatchObject({ code: 18 });
    await owner.db("a").collection("b").insertOne({ in: true });
    expect(await owner.db("a").collection("b").countDocuments()).toBe(1);

    await Promise.all([stranger.close(), impostor.close(), owner.close()]);
    await guarded.stop();
  });
});
