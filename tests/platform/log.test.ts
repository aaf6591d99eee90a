import { describe, expect, it } from "vitest";
import { itemAt } from "#domain/required.ts";
import { createLog } from "#platform/log.ts";
import { withRequestId } from "#platform/request-id.ts";

function written(level: "debug" | "info" = "info") {
  const lines: string[] = [];
  return { lines, log: createLog({ process: "web", level, write: (line) => lines.push(line) }) };
}
const only = (lines: string[]) => {
  expect(lines).toHaveLength(1);
  return JSON.parse(itemAt(lines, 0));
};

describe("the log", () => {
  it("writes one line of JSON with the name, the fields and the id of the request", () => {
    const { lines, log } = written();
    withRequestId("request-1", () => log.info("file_saved", { ms: 3, text: "a\nb" }));
    expect(itemAt(lines, 0).endsWith("}\n")).toBe(true);
    expect(only(lines)).toMatchObject({
      event: "file_saved",
      severity: "info",
      request_id: "request-1",
      ms: 3,
      text: "a\nb",
    });
  });

  it("contains no secrets, wherever they hide", () => {
    const { lines, log } = written();
    const error = new Error("cannot reach mongodb://user:hunter2@db/x");
    log.warn("failed", {
      headers: { Cookie: "session=1", accept: "x" },
      botToken: "t",
      api_secret: ["s"],
      error,
    });
    expect(only(lines)).toMatchObject({
      headers: { Cookie: "[redacted]", accept: "x" },
      botToken: "[redacted]",
      api_secret: "[redacted]",
    });
    expect(lines[0]).not.toMatch(/hunter2|session=1/);
  });

  it("leaves out what is below its level", () => {
    const { lines, log } = written();
    log.debug("noise");
    log.error("signal");
    expect(only(lines).event).toBe("signal");
  });

  it("survives values that cannot be written", () => {
    const { lines, log } = written();
    const loop: Record<string, unknown> = { n: 1n };
    loop.self = loop;
    log.info("odd", loop);
    expect(only(lines)).toMatchObject({ event: "odd", n: "1" });
  });
});
