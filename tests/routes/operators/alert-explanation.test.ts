import { beforeEach, describe, expect, it } from "vitest";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { SECRETS } from "#tests/platform/redaction-corpus.ts";
import { modelReply, openModelPeer } from "#tests/support/alerts/model-peer.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const model = await openModelPeer();
const web = await openTestWeb({
  ...model.variables,
  RATE_LIMIT_EXPLAINS_PER_MINUTE: "100",
});
const admin = await web.person(ADMIN_ID);
const SAID = modelReply('{"root_cause": "The disk.", "actions": ["Add one."], "signals": ["full"]}');

beforeEach(() => {
  model.sent.length = 0;
  model.answer = (response) => void response.end(SAID);
});

async function explain(body: object, who = admin) {
  const answer = await who.send("POST", "/api/observability/alerts/ai_explain", body);
  return { status: answer.status, ...answer.body };
}

async function given(subject: string): Promise<string> {
  const alarm = {
    rule: "job_failed",
    subject,
    severity: "error",
    summary: `Job ${subject} failed`,
    metadata: { job_id: "trash_check", error: "disk full" },
  } as const;
  await raiseAlert(web.db, alarm, web.clock());
  return required(await web.db.alerts.findOne({ "metadata.subject": subject }))._id;
}

describe("an alert, where a model is configured", () => {
  it("is explained by it, once a day for every operator and process", async () => {
    const alert_uid = await given("trash_check");
    const first = await explain({ alert_uid });
    expect(first).toMatchObject({
      ok: true,
      explanation: { root_cause: "The disk.", actions: ["Add one."], provider: "model-1", cached: false },
    });
    const asked = JSON.parse(itemAt(model.sent, 0));
    expect(asked).toMatchObject({ model: "model-1" });
    expect(asked.messages[0].content).toContain("job_id: trash_check");

    const other = await web.person(ADMIN_ID);
    expect(await explain({ alert_uid }, other)).toMatchObject({
      explanation: { ...first.explanation, cached: true },
    });
    expect(model.sent).toHaveLength(1);
    expect(await web.db.alert_explanations.countDocuments({ provider: "model-1" })).toBe(1);
  });

  it("is asked about once by two at a time, and again in another language", async () => {
    const alert_uid = await given("twice");
    await Promise.all([explain({ alert_uid }), explain({ alert_uid })]);
    expect(model.sent).toHaveLength(1);
    const hebrew = await web.person(ADMIN_ID);
    hebrew.cookies.set("locale", "he");
    expect(await explain({ alert_uid }, hebrew)).toMatchObject({ explanation: { cached: false } });
    expect(model.sent[1]).toContain("Hebrew");
  });

  it("takes no secret along, keeps none and lets none out that comes back", async () => {
    for (const { kind, text, secret } of SECRETS) {
      model.answer = (response) => void response.end(modelReply(`It says\n${text}`));
      const alert = { name: kind, summary: text, metadata: { note: text, api_key: secret } };
      const { explanation } = await explain({ alert });
      const escaped = JSON.stringify(secret).slice(1, -1);
      expect(model.sent.at(-1), kind).not.toContain(escaped);
      expect(JSON.stringify(explanation), kind).not.toContain(escaped);
    }
    const kept = JSON.stringify(await web.db.alert_explanations.find().toArray());
    expect(
      SECRETS.filter(
        ({ secret }) => secret.length > 12 && kept.includes(JSON.stringify(secret).slice(1, -1)),
      ),
    ).toEqual([]);
  });

  it("gets a refusal where the model fails, which is not kept; the page then shows what the rules know", async () => {
    const alert_uid = await given("broken");
    model.answer = (response) => void response.writeHead(500).end();
    expect(await explain({ alert_uid })).toMatchObject({ status: 502, error: "explain_failed" });
    const page = (await admin.show(`/admin/observability?explain=${alert_uid}`)).html;
    expect(page).toContain("The model could not be reached.");
    expect(page).toContain("Analysed on this server.");
    expect(page).toContain("A background job ended with an error");

    model.answer = (response) => void response.end(SAID);
    const after = (await admin.show(`/admin/observability?explain=${alert_uid}`)).html;
    expect(after).toContain("The disk.");
    expect(after).toContain("model-1");
  });
});
