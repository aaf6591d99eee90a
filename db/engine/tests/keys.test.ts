import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../values/bson.ts";
import { encodeKey, findSuccessor, invertCopy } from "../values/keys.ts";
import { present } from "../values/present.ts";
import { compareValues, type Value } from "../values/values.ts";
import { value } from "./arbitrary.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const sign = (number: number): number => Math.sign(number);
const byPairs = (a: Value[], b: Value[], directions: (1 | -1)[]): number => {
  for (const [i, direction] of directions.entries()) {
    const order = compareValues(present(a[i]), present(b[i])) * direction;
    if (order !== 0) return order;
  }
  return 0;
};

describe("the bytes of a key", () => {
  test("sort as MongoDB compares the values", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sign(Buffer.compare(encodeKey([a]), encodeKey([b])))).toBe(sign(compareValues(a, b)));
      }),
      countRuns(20_000),
    );
  });

  test("sort as compound keys of any directions", () => {
    const direction = fc.constantFrom<(1 | -1)[]>(1, -1);
    fc.assert(
      fc.property(
        fc.tuple(value, value),
        fc.tuple(value, value),
        fc.tuple(direction, direction),
        (a, b, directions) => {
          const order = Buffer.compare(encodeKey(a, directions), encodeKey(b, directions));
          expect(sign(order)).toBe(sign(byPairs(a, b, directions)));
        },
      ),
      countRuns(20_000),
    );
  });

  test("are never the beginning of other bytes, inverted or not", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [x, y] = [encodeKey([a]), encodeKey([b])];
        fc.pre(!x.equals(y));
        expect(y.subarray(0, x.length).equals(x)).toBe(false);
        expect(invertCopy(y).subarray(0, x.length).equals(invertCopy(x))).toBe(false);
      }),
      countRuns(5_000),
    );
  });

  test("lie below their successor together with everything that begins with them", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const prefix = encodeKey([a]);
        const longer = encodeKey([a, b]);
        expect(Buffer.compare(longer, present(findSuccessor(prefix)))).toBe(-1);
      }),
      countRuns(2_000),
    );
  });
});

describe("BSON", () => {
  test("comes back from its bytes as it went in, types and field order included", () => {
    fc.assert(
      fc.property(value, (content) => {
        const document = new Map<string, Value>([
          ["10", content],
          ["2", "x"],
          ["__proto__", content],
        ]);
        const again = decode(encode(document));
        expect(encode(again)).toEqual(encode(document));
        expect([...again.keys()]).toEqual(["10", "2", "__proto__"]);
      }),
      countRuns(2_000),
    );
  });

  test("of random bytes is read or refused, never more", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        if (buffer.length >= 4) buffer.writeInt32LE(buffer.length, 0);
        if (buffer.length > 0) buffer[buffer.length - 1] = 0;
        try {
          decode(buffer);
        } catch (error) {
          expect((error as { code?: number }).code).toBeTypeOf("number");
        }
      }),
      countRuns(20_000),
    );
  });
});
