import { describe, expect, it } from "vitest";
import { createAnchor, type LineSpan, locateLines, splitLines } from "#domain/notes/note-anchor.ts";
import { type LostAnchor, suggestLines } from "#domain/notes/suggested-lines.ts";
import { required } from "#domain/required.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

function remember(text: string, place: LineSpan): LostAnchor {
  return { ...required(createAnchor(splitLines(text), place, 1)), place };
}

/** The suggestions for a note on these lines of the old text, whether the new text has them or not. */
const suggestFor = (old: string, line_start: number, now: string, line_end = line_start) =>
  required(suggestLines({ text: now, anchors: [remember(old, { line_start, line_end })] })[0]);

/** The suggestions for a note on these lines of the old text, which the new text has lost. */
function suggest(old: string, line_start: number, now: string, line_end = line_start) {
  const span = { line_start, line_end };
  const anchor = remember(old, span);
  expect(locateLines({ ...anchor, version: 1 }, span, splitLines(old), splitLines(now)).state).toBe("lost");
  return suggestFor(old, line_start, now, line_end);
}

const CART = `import json

class Cart:
    def total(self):
        price = sum(item.price * item.count for item in self.items)
        return price

    def is_empty(self):
        return True
`;

describe("lines for a note that is lost", () => {
  it("are those that share the words of its own, wherever they went and however they are indented", () => {
    const now = `import json

class Cart:
    def is_empty(self):
        return True


def checkout(cart, rate):
    log.info("checkout", cart.id)
    if cart.items:
        amount = sum(item.price * item.count for item in cart.items) * rate
        return amount
`;
    expect(suggest(CART, 5, now)).toEqual([
      {
        line_start: 11,
        line_end: 11,
        text: "amount = sum(item.price * item.count for item in cart.items) * rate",
      },
    ]);
  });

  it("are as many as the note was on", () => {
    const old = `start()
const report = await loadReport(account, month);
const rows = report.entries.filter(isPaid);
finish()
`;
    const now = `finish()

async function writeInvoice(account) {
  const report = await loadReport(account, today());
  const rows = report.entries.filter(isOverdue);
  return rows;
}
`;
    expect(suggest(old, 2, now, 3)).toMatchObject([{ line_start: 4, line_end: 5 }]);
  });

  it("may differ in one that has few words", () => {
    const now = `import json

class Cart:
    def is_empty(self):
        return True


def estimate(cart):
    guess = sum(item.price * item.count for item in cart.items)
    return guess
`;
    expect(suggest(CART, 5, now, 6)).toMatchObject([{ line_start: 9, line_end: 10 }]);
  });

  it("are none where nothing resembles them", () => {
    expect(suggest(CART, 5, "const greeting = 'hello';\nshow(greeting);\n")).toEqual([]);
    expect(suggest(CART, 5, "")).toEqual([]);
    const half = { quote: ["send(letter)"], before: [], after: [], place: { line_start: 1, line_end: 1 } };
    expect(suggestLines({ text: "send(parcel)\n", anchors: [half] })).toEqual([[]]);
  });

  it("are none for words that all code is full of, whose neighbours are gone too", () => {
    const now = `def other():
    check_password()
    return True
`;
    expect(suggestFor(CART, 9, now)).toEqual([]);
  });

  it("are found by their neighbours where they say little themselves", () => {
    const old = `def save(path):
    write_header(path)
    if not flush_buffers(path):
        return False
    close_handle(path)
`;
    const now = `def load(path):
    open_handle(path)
    return False

def store(path, reader):
    write_header(path)
    if not flush_buffers(path):
        return False
    close_handle(path)
    notify(reader)
`;
    expect(suggestFor(old, 4, now)).toEqual([{ line_start: 8, line_end: 8, text: "return False" }]);
  });

  it("are three at most, the most similar first, then those with similar neighbours, then the nearest", () => {
    const old = "open(door)\nsendLetter(customer, invoice)\nclose(door)\n";
    const now = `sendLetter(customer, reminder)
nothing
sendLetter(customer, reminder)
nothing
${old.replace("invoice", "receipt")}nothing
sendLetter(customer, invoice, copy)
`;
    expect(suggestFor(old, 2, now).map(({ line_start }) => line_start)).toEqual([9, 6, 1]);
  });

  it("never overlap", () => {
    const old = "addColumn(users, name)\naddColumn(users, mail)\n";
    const now = Array.from({ length: 6 }, (_, i) => `addColumn(users, field${i})`).join("\n");
    expect(suggestFor(old, 1, now, 2).map(({ line_start }) => line_start)).toEqual([1, 3, 5]);
  });

  it("are found in Hebrew and behind every kind of line end", () => {
    const old = "שלום\r\nלשלוח מכתב אל הלקוח מחר\r\nסוף\r\n";
    const now = "סוף\r\n\r\nלשלוח מכתב אל הלקוח היום\r\n";
    expect(suggestFor(old, 2, now)).toEqual([
      { line_start: 3, line_end: 3, text: "לשלוח מכתב אל הלקוח היום" },
    ]);
  });

  it("are not looked for where a note remembers nothing", () => {
    const span = { line_start: 1, line_end: 300 };
    expect(
      suggestLines({ text: CART, anchors: [{ quote: [], before: [], after: [], place: span }] }),
    ).toEqual([[]]);
  });
});

describe("fifty lost notes on a text of two megabytes", () => {
  const words = (i: number, count: number) =>
    Array.from({ length: 60 }, (_, k) => `word${(i * 31 + k * 7) % count}`).join(" ");
  it.each([
    ["of few words", 70],
    ["of many words", 9_000],
  ])("have their suggestions within seconds: %s", async (_, count) => {
    const lines = Array.from({ length: 5_000 }, (_, i) => words(i, count));
    const old = lines.map((line) => `${line} gone`);
    const anchors = Array.from({ length: 50 }, (_, i) => {
      const span = { line_start: 1 + i * 90, line_end: 20 + i * 90 };
      return { ...required(createAnchor(old, span, 1)), place: span };
    });
    let suggested = 0;
    const ms = await ownProcessorMs(() => {
      suggested = suggestLines({ text: lines.join("\n"), anchors }).length;
    });
    expect(suggested).toBe(50);
    expect(ms).toBeLessThan(3_000);
  });
});
