import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { createExplainer } from "#app/explain/explainer.ts";
import { PROVIDER_TIMEOUT_MS } from "#app/explain/provider.ts";
import { findInstructions, setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { EXPLAIN_MAX_BYTES } from "#domain/code-runs/explanation.ts";
import { REASONS } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { SECRETS } from "#tests/platform/redaction-corpus.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

type Sent = { headers: IncomingMessage["headers"]; text: string };
const sent: Sent[] = [];
const reply = (text: string) => JSON.stringify({ content: [{ type: "text", text }] });
const GOOD = reply('Here: {"root_cause": "It adds.", "actions": ["Rename a."], "signals": ["a + b"]}');
let answer: (response: ServerResponse) => void = (response) => void response.end(GOOD);
const model = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  sent.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
  answer(response);
});
model.listen(0, "127.0.0.1");
await once(model, "listening");
afterAll(() => {
  model.closeAllConnections();
  model.close();
});
const modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1/messages`;

const many = { RATE_LIMIT_WRITES_PER_MINUTE: "10000", RATE_LIMIT_REQUESTS_PER_MINUTE: "10000" };
const provider = { AI_API_URL: modelUrl, AI_API_KEY: "the key", AI_MODEL: "model-1", AI_ALLOW_LOOPBACK: "1" };
const plain = await openTestWeb({ ...many, RATE_LIMIT_EXPLAINS_PER_MINUTE: "25" });
const asking = await openTestWeb({ ...many, ...provider, RATE_LIMIT_EXPLAINS_PER_MINUTE: "10000" });
const dana = await plain.person("80");
const noa = await asking.person("81");

async function explain(visitor: Visitor, body: unknown) {
  const response = await visitor.ask("/api/ai/explain", { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, ...(await response.json()) };
}

describe("without a model", () => {
  it("rules explain, and the same text is explained once", async () => {
    const code = "import os\n\ndef add(a, b=[]):\n    return os.path.join(a, b)\n";
    const first = await explain(dana, { code, language: "python" });
    const again = await explain(dana, { code, language: "python" });

    expect(first.explanation).toMatchObject({ provider: "local", cached: false });
    expect(first.explanation.root_cause).toMatch(/add/);
    expect(first.explanation.actions.join()).toMatch(/Line 3: A mutable default/);
    expect(again.explanation).toEqual({ ...first.explanation, cached: true });
  });

  it("a traceback is explained by its cause and its place", async () => {
    const context = [
      "Traceback (most recent call last):",
      '  File "/srv/app/main.py", line 7, in <module>',
      "    total = prices['apple']",
      "KeyError: 'apple'",
    ].join("\n");
    const { explanation } = await explain(dana, { context });
    expect(explanation.root_cause).toMatch(/Key .*apple/);
    expect(explanation.signals.join()).toMatch(/main\.py.*line 7/);
  });

  it("is said in the person's language", async () => {
    const hebrew = await plain.person("82");
    hebrew.cookies.set("locale", "he");
    const { explanation } = await explain(hebrew, { code: "print(1)\n", language: "python" });
    expect(explanation.root_cause).toContain("שורה אחת");
  });

  it.each([
    ["nothing", {}, 400, "missing_context"],
    ["blank text", { code: "  \n" }, 400, "missing_context"],
    ["too much", { code: "x".repeat(EXPLAIN_MAX_BYTES + 1) }, 413, "payload_too_large"],
    ["a long question", { code: "x", question: "x".repeat(1_001) }, 400, "invalid_payload"],
    ["code that is none", { code: { $ne: 1 } }, 400, "invalid_payload"],
    ["a list", [], 400, "invalid_payload"],
  ])("%s is refused", async (_, body, status, error) => {
    expect(await explain(dana, body)).toMatchObject({ status, error });
  });

  it("belongs to whoever is logged in, and not endlessly often", async () => {
    expect(await explain(plain.visitor(), { code: "x" })).toMatchObject({ status: 401 });
    const eager = await plain.person("83");
    const answers = [];
    for (let i = 0; i < 26; i += 1) answers.push(await explain(eager, { code: "x" }));
    expect(answers.slice(0, 25).map(({ status }) => status)).toEqual(Array(25).fill(200));
    expect(answers[25]).toMatchObject({ status: 429, error: "rate_limit_exceeded" });
    expect(Number(answers[25].headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});

it("no secret of the instructions leaves by the primer", async () => {
  for (const { kind, text, secret } of SECRETS) {
    const { updated_at } = await findInstructions(plain.db, "80");
    await setInstructions(plain.db, "80", text, updated_at, plain.clock());
    const primer = (await dana.send("GET", "/api/agent/primer")).body;
    expect(primer, kind).toContain("[redacted]");
    expect(primer, kind).not.toContain(secret);
  }
});

describe("the page of a file", () => {
  it("explains the version it shows, by a plain form, and keeps the question", async () => {
    const file_id = await dana.saveFile("explain-me.py", "def first():\n    pass\n");
    await dana.ask("/api/files/explain-me.py", { method: "PUT", body: "def second():\n    pass\n" });
    const form = { intent: "explain", question: "<b>why?</b>" };

    const newest = await (await dana.submit(`/file/${file_id}`, form)).text();
    const old = await (await dana.submit(`/file/${file_id}?v=1`, form)).text();

    expect(newest).toMatch(/Defines[^<]*second/);
    expect(newest).toContain("No model is set up, so this lists only what the text itself shows.");
    expect(newest).not.toContain("AI_API_URL");
    expect(old).toMatch(/Defines[^<]*first/);
    expect(newest).toContain('value="&lt;b&gt;why?&lt;/b&gt;"');
  });

  it("says why it does not, and explains nobody else's file", async () => {
    const file_id = await dana.saveFile("long.py", "# x\n".repeat(30_000));
    const response = await dana.submit(`/file/${file_id}`, { intent: "explain" });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("100 KiB")]);
    const stranger = await plain.person("84");
    expect((await stranger.submit(`/file/${file_id}`, { intent: "explain" })).status).toBe(404);
  });
});

describe("with a model", () => {
  it("asks it once about the same text, with its key and name", async () => {
    sent.length = 0;
    const asked = { code: "a + b", language: "python", question: "What?" };
    const both = await Promise.all([explain(noa, asked), explain(noa, asked)]);

    expect(sent).toHaveLength(1);
    expect(itemAt(sent, 0).headers["x-api-key"]).toBe("the key");
    expect(JSON.parse(itemAt(sent, 0).text)).toMatchObject({
      model: "model-1",
      messages: [{ role: "user" }],
    });
    expect(both[0].explanation).toMatchObject({
      root_cause: "It adds.",
      actions: ["Rename a."],
      signals: ["a + b"],
      provider: "model-1",
    });
    expect(both.map(({ explanation }) => explanation.cached).sort()).toEqual([false, true]);
  });

  it("sends no secret, and lets none out that comes back, nor into logs and events", async () => {
    for (const { kind, text, secret } of SECRETS) {
      sent.length = 0;
      answer = (response) => void response.end(reply(`It says\n${text}`));
      const { explanation } = await explain(noa, { context: text, question: `${kind}\n${text}` });
      const escaped = JSON.stringify(secret).slice(1, -1);
      expect(itemAt(sent, 0).text, kind).not.toContain(escaped);
      expect(explanation.root_cause, kind).not.toContain(secret);
      asking.db.emit("search_index_error", {
        error: text.slice(0, 500),
        resource: { type: "file", id: "f1" },
      });
    }
    answer = (response) => void response.end(GOOD);
    const stored = await asking.events("search_index_error");
    expect(stored).toHaveLength(SECRETS.length);
    const written = JSON.stringify(stored) + asking.log.join("\n");
    const seen = SECRETS.filter(({ secret }) => written.includes(JSON.stringify(secret).slice(1, -1)));
    expect(seen.map(({ kind }) => kind)).toEqual([]);
  });

  it.each([
    ["a failure", (response: ServerResponse) => void response.writeHead(500).end("no"), 502],
    ["an answer that is none", (response: ServerResponse) => void response.end("<html>"), 502],
    ["an empty answer", (response: ServerResponse) => void response.end(reply("")), 502],
    ["a broken connection", (response: ServerResponse) => void response.destroy(), 502],
    [
      "a way on elsewhere",
      (r: ServerResponse) => void r.writeHead(302, { Location: "http://10.0.0.1/" }).end(),
      502,
    ],
    ["an endless answer", (response: ServerResponse) => void response.end("x".repeat(300_000)), 502],
  ])("%s is told as such and not kept", async (name, how, status) => {
    answer = how;
    expect(await explain(noa, { code: name })).toMatchObject({ status, error: "explain_failed" });
    answer = (response) => void response.end(GOOD);
    expect((await explain(noa, { code: name })).status).toBe(200);
  });

  it("an answer in prose is understood, and is shown as text", async () => {
    answer = (response) => void response.end(reply("<script>alert(1)</script> It adds."));
    const file_id = await noa.saveFile("prose.py", "a + b\n");
    const page = await (await noa.submit(`/file/${file_id}`, { intent: "explain" })).text();
    answer = (response) => void response.end(GOOD);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; It adds.");
    expect(page).not.toContain("<script>alert(1)");
  });

  const explainerFor = (url: string, more: { allowLoopback: boolean; timeoutMs?: number }) =>
    createExplainer({
      threads: required(plain.db.threads),
      provider: { url, key: "k", model: "m" },
      log: silentLog,
      clock: plain.clock,
      ...more,
    });
  const asked = { text: "x", language: null, question: null };

  it("waits for it ten seconds and no longer", async () => {
    answer = () => {};
    const explainer = explainerFor(modelUrl, { allowLoopback: true, timeoutMs: 20 });
    const refused = await explainer.explain(asked, "en", "owner");
    explainer.close();
    answer = (response) => void response.end(GOOD);
    expect(refused).toMatchObject({ refused: "explain_timeout" });
    expect([PROVIDER_TIMEOUT_MS, REASONS.explain_timeout.status]).toEqual([10_000, 504]);
  });

  it.each(["http://127.0.0.1:1/", "https://10.0.0.1/v1", "https://localhost/v1", "https://[::1]/v1"])(
    "at %s is not asked where private addresses are not allowed",
    async (url) => {
      const explainer = explainerFor(url, { allowLoopback: false });
      const refused = await explainer.explain(asked, "en", "owner");
      explainer.close();
      expect(refused).toMatchObject({ refused: "explain_failed" });
    },
  );
});
