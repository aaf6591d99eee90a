import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import compression from "compression";
import express from "express";
import { describe, expect, it } from "vitest";
import { writeJsonParts } from "#app/web/answers/json-parts.ts";
import { sendResponse } from "#app/web/answers/send-response.ts";
import { serve } from "#tests/support/serve.ts";

const PIECE = new Uint8Array(256 * 1024).fill(120);
const PIECES = 200;

let bytesMade = 0;
let isCancelled = false;

/** 50 MB, made piece by piece. */
function openBody(): ReadableStream<Uint8Array> {
  bytesMade = 0;
  isCancelled = false;
  return new ReadableStream({
    pull: (controller) => {
      bytesMade += 1;
      if (bytesMade > PIECES) controller.close();
      else controller.enqueue(PIECE);
    },
    cancel: () => {
      isCancelled = true;
    },
  });
}

const app = express();
app.use(compression());
app.get("/:type", async (req, res, next) => {
  const headers = { "Content-Type": req.params.type === "zip" ? "application/zip" : "text/plain" };
  await sendResponse(new Response(openBody(), { headers }), res).catch(next);
});
const url = await serve(app);

async function open(type: string): Promise<IncomingMessage> {
  const asking = get(`${url}/${type}`, { headers: { "Accept-Encoding": "gzip" } });
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  return answer;
}

describe.each(["zip", "text"])("a long answer (%s)", (type) => {
  it("arrives whole", async () => {
    const answer = await open(type);
    answer.resume();
    await once(answer, "end");
    expect(bytesMade).toBe(PIECES + 1);
  });
});

it("a long answer is made no faster than it is read, and stops when its reader goes away", async () => {
  let read = 0;
  for await (const piece of await open("zip")) {
    read += piece.length;
    if (read > (PIECES / 4) * PIECE.length) break;
  }
  await expect.poll(() => isCancelled, { timeout: 20_000 }).toBe(true);
  expect(bytesMade).toBeLessThan(PIECES);
});

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
