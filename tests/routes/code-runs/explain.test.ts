import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { createExplainer } from "#app/explain/explainer.ts";
import { PROVIDER_TIMEOUT_MS } from "#app/explain/provider.ts";
import { EXPLAIN_MAX_BYTES } from "#domain/code-runs/explanation.ts";
import { REASONS } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { SECRETS } from "#tests/platform/redaction-corpus.ts";
import { modelReply, openModelPeer } from "#tests/support/alerts/model-peer.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const GOOD = modelReply('Here: {"root_cause": "It adds.", "actions": ["Rename a."], "signals": ["a + b"]}');
const model = await openModelPeer();
beforeEach(() => {
  model.sent.length = 0;
  model.answer = (response) => void response.end(GOOD);
});

const plain = await openTestWeb({ RATE_LIMIT_EXPLAINS_PER_MINUTE: "15" });
const asking = await openTestWeb({ ...model.variables, RATE_LIMIT_EXPLAINS_PER_MINUTE: "10000" });
const dana = await plain.person();
const noa = await asking.person();

async function explain(visitor: Visitor, body: unknown) {
  const { status, headers, body: answer } = await visitor.send("POST", "/api/ai/explain", body);
  return { status, headers, ...answer };
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
    ["blank text", { code: "  \n" }, 400, "missing_context"],
    ["too much", { code: "x".repeat(EXPLAIN_MAX_BYTES + 1) }, 413, "payload_too_large"],
  ])("%s is refused", async (_, body, status, error) => {
    expect(await explain(dana, body)).toMatchObject({ status, error });
  });

  it("has a limit of explanations", async () => {
    const eager = await plain.person();
    for (let i = 0; i < 15; i += 1) expect((await explain(eager, { code: "x" })).status).toBe(200);
    const refused = await explain(eager, { code: "x" });
    expect(refused).toMatchObject({ status: 429, error: "rate_limit_exceeded" });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});

describe("the page of a file", () => {
  it("explains the version it shows, by a plain form, and keeps the question", async () => {
    const [first, second] = ["def first():\n    pass\n", "def second():\n    pass\n"];
    const { id: file_id } = await plain.given.file(dana.id, "explain-me.py", first, second);
    const form = { intent: "explain", question: "<b>why?</b>" };

    const newest = await (await dana.submit(`/file/${file_id}`, form)).text();
    const old = await (await dana.submit(`/file/${file_id}?v=1`, form)).text();

    expect(newest).toMatch(/Defines[^<]*second/);
    expect(newest).toContain("No model is set up, so this lists only what the text itself shows.");
    expect(newest).not.toContain("AI_API_URL");
    expect(old).toMatch(/Defines[^<]*first/);
    expect(newest).toContain('value="&lt;b&gt;why?&lt;/b&gt;"');
  });

  it("says why it explains nothing, and explains no other person's file", async () => {
    const { id } = await plain.given.file(dana.id, "long.py", "# x\n".repeat(30_000));
    const response = await dana.submit(`/file/${id}`, { intent: "explain" });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("100 KiB")]);
    const stranger = await plain.person();
    expect((await stranger.submit(`/file/${id}`, { intent: "explain" })).status).toBe(404);
  });
});

describe("with a model", () => {
  it("asks it once about the same text, with its key and name", async () => {
    const question = { code: "a + b", language: "python", question: "What?" };
    const both = await Promise.all([explain(noa, question), explain(noa, question)]);

    expect(model.sent).toHaveLength(1);
    expect(model.keys).toEqual(["the key"]);
    expect(JSON.parse(itemAt(model.sent, 0))).toMatchObject({
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

  it("sends no secret, and removes secrets from the answer, logs and events", async () => {
    for (const { kind, text, secret } of SECRETS) {
      model.answer = (response) => void response.end(modelReply(`It says\n${text}`));
      const { explanation } = await explain(noa, { context: text, question: `${kind}\n${text}` });
      const escaped = JSON.stringify(secret).slice(1, -1);
      expect(model.sent.at(-1), kind).not.toContain(escaped);
      expect(explanation.root_cause, kind).not.toContain(secret);
      asking.db.emit("search_index_error", {
        error: text.slice(0, 500),
        resource: { type: "file", id: "f1" },
      });
    }
    const stored = await asking.events("search_index_error");
    expect(stored).toHaveLength(SECRETS.length);
    const written = JSON.stringify(stored) + asking.log.join("\n");
    const leaked = SECRETS.filter(({ secret }) => written.includes(JSON.stringify(secret).slice(1, -1)));
    expect(leaked.map(({ kind }) => kind)).toEqual([]);
  });

  it.each([
    ["a failure", (response: ServerResponse) => void response.writeHead(500).end("no"), 502],
    ["an answer that is none", (response: ServerResponse) => void response.end("<html>"), 502],
    ["an empty answer", (response: ServerResponse) => void response.end(modelReply("")), 502],
    ["a broken connection", (response: ServerResponse) => void response.destroy(), 502],
    [
      "a way on elsewhere",
      (r: ServerResponse) => void r.writeHead(302, { Location: "http://10.0.0.1/" }).end(),
      502,
    ],
    ["an endless answer", (response: ServerResponse) => void response.end("x".repeat(300_000)), 502],
  ])("%s is reported as such and not stored", async (name, how, status) => {
    model.answer = how;
    expect(await explain(noa, { code: name })).toMatchObject({ status, error: "explain_failed" });
    model.answer = (response) => void response.end(GOOD);
    expect((await explain(noa, { code: name })).status).toBe(200);
  });

  it("an answer in prose is understood, and is shown as text", async () => {
    model.answer = (response) => void response.end(modelReply("<script>alert(1)</script> It adds."));
    const { id } = await asking.given.file(noa.id, "prose.py", "a + b\n");
    const page = await (await noa.submit(`/file/${id}`, { intent: "explain" })).text();
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; It adds.");
    expect(page).not.toContain("<script>alert(1)");
  });

  it("waits at most ten seconds", async () => {
    model.answer = () => {};
    const explainer = createExplainer({
      threads: required(plain.db.threads),
      provider: { url: model.variables.AI_API_URL, key: "k", model: "m" },
      log: silentLog,
      clock: plain.clock,
      allowLoopback: true,
      timeoutMs: 20,
    });
    const refused = await explainer.explain({ text: "x", language: null, question: null }, "en", "owner");
    explainer.close();
    expect(refused).toMatchObject({ refused: "explain_timeout" });
    expect([PROVIDER_TIMEOUT_MS, REASONS.explain_timeout.status]).toEqual([10_000, 504]);
  });
});
