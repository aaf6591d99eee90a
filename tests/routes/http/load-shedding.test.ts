import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import express from "express";
import { afterAll, describe, expect, it, vi } from "vitest";
import { listen } from "#app/web/door/listen.ts";
import { findSlowPhase, PACE, type Phase } from "#app/web/door/slow-clients.ts";
import { openTestWeb } from "#tests/support/web.ts";

const AT_ONCE = 4;
const web = await openTestWeb({ MAX_REQUESTS_AT_ONCE: String(AT_ONCE) });
const dana = await web.person("60");
const file_id = await dana.saveFile("a.txt", "x");

/** While `work` runs, as many requests as allowed wait for the files; then all of them are answered. */
async function whileFull(work: () => Promise<void>): Promise<number[]> {
  const { files } = web.db;
  const findOne = files.findOne.bind(files) as (...words: unknown[]) => Promise<null>;
  const released = Promise.withResolvers<void>();
  const waiting = vi.spyOn(files, "findOne").mockImplementation(async (...words: unknown[]) => {
    await released.promise;
    return findOne(...words);
  });
  const answers = Array.from({ length: AT_ONCE }, () => dana.ask(`/download/${file_id}`));
  try {
    await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(AT_ONCE), { timeout: 20_000 });
    await work();
  } finally {
    waiting.mockRestore();
    released.resolve();
  }
  return (await Promise.all(answers)).map(({ status }) => status);
}

describe("at the limit of concurrent requests,", () => {
  it("others are refused at once, health is reported, and everything works again afterwards", async () => {
    const statuses = await whileFull(async () => {
      const beyond = await dana.ask("/api/me");
      expect(beyond.status).toBe(503);
      expect(beyond.headers.get("Retry-After")).toBe("2");
      expect(await beyond.json()).toMatchObject({ error: "server_busy", retry_after: 2 });
      expect((await dana.ask("/healthz")).status).toBe(200);
      expect((await dana.ask("/icon.svg")).status).toBe(200);
      const metrics = (await dana.send("GET", "/metrics")).body;
      expect(metrics).toContain(`codeshelf_requests_at_work ${AT_ONCE}`);
      expect(metrics).toContain("codeshelf_requests_shed_total 1");
    });
    expect(statuses).toEqual(Array(AT_ONCE).fill(200));
    expect((await dana.ask("/api/me")).status).toBe(200);
  });

  it("a person gets a small page in their language without other files; for a form it says that it was not saved", async () => {
    await whileFull(async () => {
      const page = await dana.page("/files", { headers: { "Accept-Language": "he" } });
      const html = await page.text();
      expect(page.status).toBe(503);
      expect(page.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'; style-src 'sha256-/);
      expect(html).toContain('<html lang="he" dir="rtl">');
      expect(html).toContain("יש עומס ב־Codeshelf");
      expect(html).not.toMatch(/<script|<link|src=/);
      const form = await dana.submit("/upload", { file_name: "b.txt", text: "typed" });
      expect(form.status).toBe(503);
      expect(await form.text()).toContain("Your changes were not saved");
    });
    expect(await web.db.files.countDocuments({ user_id: "60", file_name: "b.txt" })).toBe(0);
  });
});

describe("clients that are too slow", () => {
  const LARGE = Buffer.alloc(16 * 1024 * 1024, "x");
  const cuts: Phase[] = [];
  let bodies = 0;
  const app = express();
  app.get("/large", (_req, res) => void res.end(LARGE));
  app.put("/body", async (req, res) => {
    bodies += 1;
    res.json({ bytes: (await text(req).catch(() => "")).length });
  });
  app.put("/refused", (_req, res) => void res.status(403).json({ error: "forbidden" }));
  const pace = { graceMs: 200, bytesPerSecond: 10_000_000, everyMs: 50 };
  const listening = listen(app, 0, "127.0.0.1", { pace, onCut: (phase) => cuts.push(phase) });
  afterAll(async () => (await listening).close());

  async function open(words: string): Promise<Socket> {
    const { port } = (await listening).address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {});
    socket.write(words);
    return socket;
  }

  it("are cut while they send their headers", async () => {
    const socket = await open("GET /large HTTP/1.1\r\nHost: shelf\r\nX-Slow: ");
    expect(await text(socket)).toContain("408 Request Timeout");
  });

  it("are cut while they send a body, with an answer", async () => {
    const socket = await open("PUT /body HTTP/1.1\r\nHost: shelf\r\nContent-Length: 1000\r\n\r\nab");
    const answer = await text(socket);
    expect(bodies).toBe(1);
    expect(answer).toContain("408 Request Timeout");
    expect(answer).toContain('"error":"request_timeout"');
    expect(cuts).toContain("body");
  });

  it("are cut while they send a body that was answered before it came", async () => {
    const before = cuts.length;
    const socket = await open("PUT /refused HTTP/1.1\r\nHost: shelf\r\nContent-Length: 1000\r\n\r\nab");
    expect(await text(socket)).toContain("403 Forbidden");
    expect(cuts.slice(before)).toEqual(["body"]);
  });

  it("are cut while they read an answer", async () => {
    const socket = await open("GET /large HTTP/1.1\r\nHost: shelf\r\n\r\n");
    socket.pause();
    await expect.poll(() => cuts, { timeout: 20_000 }).toContain("answer");
    socket.resume();
    let read = 0;
    socket.on("data", (bytes) => {
      read += bytes.length;
    });
    await once(socket, "close");
    expect(read).toBeLessThan(LARGE.length);
  });

  it("do not include those that keep sending or reading, however long that takes", () => {
    const minutes = 10 * 60_000;
    const exchange = { startedAtMs: 0, answeredAtMs: null, readBefore: 0, writtenBefore: 0 };
    const bytes = (minutes / 1_000) * PACE.bytesPerSecond;
    const socket = { bytesRead: bytes, bytesWritten: bytes, writableLength: 1 };
    const readPhase = (req: object, res: object, moved: object) =>
      findSlowPhase(
        { ...exchange, req, res, socket: { ...socket, ...moved } } as never,
        minutes + 21_000,
        PACE,
      );
    const [sending, sent] = [{ complete: false }, { complete: true }];
    const [unanswered, answered] = [{ headersSent: false }, { headersSent: true }];

    expect(readPhase(sending, unanswered, { bytesRead: bytes - PACE.bytesPerSecond * 2 })).toBe("body");
    expect(readPhase(sending, unanswered, { bytesRead: bytes + PACE.bytesPerSecond * 2 })).toBeNull();
    expect(readPhase(sent, unanswered, { bytesRead: 0 })).toBeNull();
    exchange.answeredAtMs = 0 as never;
    expect(readPhase(sent, answered, { bytesWritten: 0 })).toBe("answer");
    expect(readPhase(sent, answered, { bytesWritten: bytes * 2 })).toBeNull();
    expect(readPhase(sent, answered, { bytesWritten: 0, writableLength: 0 })).toBeNull();
  });
});
