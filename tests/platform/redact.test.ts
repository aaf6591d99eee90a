import { describe, expect, it } from "vitest";
import { createLog } from "#platform/log.ts";
import { REDACTED, redact } from "#platform/secrets/redact.ts";
import { NEAR_MISSES, SECRETS } from "#tests/platform/redaction-corpus.ts";

describe("a secret does not get out", () => {
  it.each(SECRETS)("$kind", ({ text, secret }) => {
    expect(text).toContain(secret);

    const safe = redact(text);

    expect(safe).not.toContain(secret);
    expect(safe).toContain(REDACTED);
  });

  it.each(SECRETS)("$kind, in a log line, however deep", ({ text, secret }) => {
    const lines: string[] = [];
    const log = createLog({ process: "web", level: "debug", write: (line) => lines.push(line) });
    log.error("failed", { error: new Error(text, { cause: text }), list: [{ text }] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it("nor a second time: a redacted text stays unchanged", () => {
    for (const { text } of SECRETS) expect(redact(redact(text))).toBe(redact(text));
  });

  it("nor beside others in one long text", () => {
    const safe = redact(SECRETS.map(({ text }) => text).join("\n\n"));
    expect(SECRETS.filter(({ secret }) => secret.length > 12 && safe.includes(secret))).toEqual([]);
  });
});

it.each(NEAR_MISSES)("a text that only looks like a secret stays: %s", (text) => {
  expect(redact(text)).toBe(text);
});

it("redaction reads long and hostile texts in one pass each", () => {
  const hostile = [
    ...["a", "a.", "token", "-----BEGIN PRIVATE KEY", "http://a:", "password=", "eyJ", " ", "'", "key: "],
    "A_KEY",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    expect(typeof redact(text)).toBe("string");
  }
}, 10_000);
