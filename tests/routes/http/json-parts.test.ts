import { describe, expect, it } from "vitest";
import { writeJsonParts } from "#app/http/answers/json-parts.ts";

const write = async (answer: object) => Buffer.concat(await writeJsonParts(answer)).toString();
const many = <T>(value: T) => Array.from({ length: 30 }, () => value);

describe("an answer in parts", () => {
  it.each<[string, object]>([
    ["an empty object", {}],
    ["a short list", { ok: true, notes: [1, "א"], more: null }],
    ["a long list", { ok: true, notes: many({ at: new Date(0), text: 'a"b', gone: undefined }), count: 30 }],
    ["several long lists", { notes: many("𝔞"), gone: undefined, others: many([1, { a: null }]) }],
    ["a long list with what JSON has no word for", { notes: [...many(1), undefined, Number.NaN] }],
    ["a long list without fields beside it", many("a")],
    ["a list of long lists", [many(1), { a: many(undefined) }]],
  ])("is what JSON.stringify writes: %s", async (_, answer) => {
    expect(await write(answer)).toBe(JSON.stringify(answer));
  });

  it.each<[string, object]>([
    ["object", { notes: many("a".repeat(100_000)) }],
    ["list", many("a".repeat(100_000))],
  ])("has several parts where it is a long %s", async (_, answer) => {
    expect((await writeJsonParts(answer)).length).toBeGreaterThan(3);
    expect(await write(answer)).toBe(JSON.stringify(answer));
  });
});
