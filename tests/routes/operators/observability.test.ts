import { describe, expect, it } from "vitest";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { required } from "#domain/required.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { NOON } from "#tests/support/store.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const TOKEN = "a token for alerts";
const web = await openTestWeb({ ALERTS_TOKEN: TOKEN });
const { db } = web;
const admin = await web.person(ADMIN_ID);

const post = (path: string, body?: unknown) => admin.send("POST", `/api/observability/${path}`, body);
const get = async (path: string) => {
  await web.emitter.flush();
  return (await admin.send("GET", `/api/observability/${path}`)).body;
};
const intake = (body: unknown, token = TOKEN) =>
  web.visitor().send("POST", "/api/alerts/webhook", body, { Authorization: `Bearer ${token}` });

/** An alert as Alertmanager sends it. */
const alert = (more: object = {}, labels: object = {}) => ({
  version: "4",
  groupKey: '{}:{alertname="DiskFull"}',
  status: "firing",
  receiver: "codeshelf",
  alerts: [
    {
      status: "firing",
      labels: { alertname: "DiskFull", severity: "critical", instance: "db-1", api_token: "hush", ...labels },
      annotations: { summary: "The disk of db-1 is full" },
      startsAt: "2037-11-14T11:58:00.000Z",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "http://prometheus/graph",
      fingerprint: "c0ffee",
      ...more,
    },
  ],
});

it("an empty store answers every question with empty figures in the usual shape", async () => {
  await web.emitter.flush();
  await db.events.deleteMany({});
  await db.event_counts.deleteMany({});
  const page = { page: 1, per_page: 50, total: 0, alerts: [], next_cursor: null };
  expect(await get("alerts")).toEqual({ ok: true, ...page });
  expect(await get("aggregations")).toEqual({
    ok: true,
    summary: { total: 0, critical: 0, anomaly: 0, error: 0 },
    top_events: [],
    top_slow_endpoints: expect.any(Array),
  });
  const series = await get("timeseries");
  expect(series).toMatchObject({ ok: true, metric: "alerts_count", granularity_seconds: 3600 });
  expect(series.data).toHaveLength(7 * 24 + 1);
  expect(await get("replay")).toMatchObject({
    window: { start_time: "2037-11-14T06:00:00.000+00:00" },
    counts: { total: 0 },
    events: [],
    next_cursor: null,
  });
  expect(await get("export")).toMatchObject({ ok: true, alerts: [], events: [] });
});

it("a question that cannot be answered is refused with 400", async () => {
  for (const query of [
    "alerts?timerange=yesterday",
    "timeseries?metric=mood",
    "replay?cursor=%25",
    "export?format=xml",
  ])
    expect((await admin.send("GET", `/api/observability/${query}`)).status, query).toBe(400);
});

describe("alerts from Alertmanager", () => {
  it("are accepted only with the token", async () => {
    expect((await intake(alert(), "another token")).status).toBe(401);
    expect((await web.visitor().send("POST", "/api/alerts/webhook", alert())).status).toBe(401);
    expect(await db.alerts.countDocuments({})).toBe(0);
  });

  it("become one record however often they are repeated, until their end", async () => {
    for (const _ of ["once", "again"])
      expect((await intake(alert())).body).toEqual({ status: "ok", received: 1 });
    const { alerts, total } = await get("alerts");
    expect(total).toBe(1);
    expect(alerts[0]).toMatchObject({
      name: "DiskFull",
      severity: "critical",
      summary: "The disk of db-1 is full",
      source: "alertmanager",
      status: "firing",
      repeats: 1,
      timestamp: "2037-11-14T11:58:00.000+00:00",
      metadata: { instance: "db-1", api_token: "[redacted]" },
      quick_fixes: [{ action_id: "open_replay", kind: "link", uses: 0 }],
    });

    await intake(alert({ status: "resolved", endsAt: "2037-11-14T12:01:00.000Z" }));
    await intake(alert());
    expect((await get("alerts")).alerts).toMatchObject([
      { status: "resolved", ended_at: "2037-11-14T12:01:00.000+00:00", repeats: 3 },
    ]);
    expect(await web.events("alert_received")).toMatchObject([
      { alert_uid: alerts[0].alert_uid, name: "DiskFull", status: "firing", severity: "anomaly" },
      { status: "firing" },
      { status: "resolved" },
      { status: "firing" },
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["another version", { ...alert(), version: "3" }],
    ["an alert without a start", { version: "4", alerts: [{ status: "firing", labels: {} }] }],
    ["a moment that is none", alert({ startsAt: "soon" })],
    ["labels that are no words", alert({}, { alertname: { $gt: "" } })],
  ])("with %s are refused, and the report does not quote them", async (_, body) => {
    const before = (await web.events("alerts_parse_error")).length;
    expect(await intake(body)).toMatchObject({ status: 400, body: { error: "invalid_payload" } });
    const errors = await web.events("alerts_parse_error");
    expect(errors).toHaveLength(before + 1);
    expect(JSON.stringify(errors)).not.toContain("soon");
  });

  it("are found by severity and by words, letter by letter", async () => {
    await intake(alert({ fingerprint: "beef" }, { alertname: "Lag (.*) high", severity: "warning" }));
    expect((await get("alerts?severity=warn")).total).toBe(1);
    expect((await get("alerts?search=disk%20OF")).total).toBe(2);
    expect((await get("alerts?search=(.*)")).alerts).toMatchObject([{ name: "Lag (.*) high" }]);
    const second = await get("alerts?per_page=1&page=2");
    expect(second).toMatchObject({ page: 2, per_page: 1, total: 2, next_cursor: null });
    const { next_cursor } = await get("alerts?per_page=1");
    expect((await get(`alerts?per_page=1&cursor=${next_cursor}`)).alerts).toEqual(second.alerts);
    expect(await get("alerts?per_page=1&page=9")).toMatchObject({ page: 9, total: 2, alerts: [] });
  });
});

it("a lasting alert is acknowledged and muted, for an hour or the given time", async () => {
  const { alerts } = await get("alerts?status=firing");
  const attend = (what: string, body?: object) => post(`alerts/${alerts[0].alert_uid}/${what}`, body);
  const acked = { ok: true, alert: { acked_at: expect.any(String) } };
  expect(await attend("ack")).toMatchObject({ status: 200, body: acked });
  const mutedUntil = async (body?: object) => (await attend("mute", body)).body.alert.muted_until;
  expect(await mutedUntil()).toBe("2037-11-14T13:00:00.000+00:00");
  expect(await mutedUntil({ minutes: 5 })).toBe("2037-11-14T12:05:00.000+00:00");
  expect((await attend("mute", { minutes: 0 })).status).toBe(400);
});

describe("the history of events", () => {
  it("is counted by severity and by name", async () => {
    const { summary, top_events } = await get("aggregations");
    expect(summary).toMatchObject({ critical: 1, error: 5, anomaly: 5 });
    expect(summary.total).toBeGreaterThanOrEqual(10);
    expect(top_events).toContainEqual({ event: "alert_received", count: 5 });
  });

  it("is replayed in the order it happened, page by page", async () => {
    const { events, counts } = await get("replay?timerange=30m");
    const names = events.map(({ event }: { event: string }) => event);
    expect(names.filter((name: string) => name === "alert_received")).toHaveLength(5);
    expect(counts).toMatchObject({ total: events.length, error: 5 });
    const walked: string[] = [];
    let cursor = "";
    do {
      const page = await get(`replay?timerange=30m&limit=4${cursor && `&cursor=${cursor}`}`);
      walked.push(...page.events.map(({ event }: { event: string }) => event));
      cursor = page.next_cursor;
    } while (cursor);
    expect(walked).toEqual(names);
    const errors = await get("replay?severity=error&event=alerts_parse_error");
    expect(errors.events).toHaveLength(5);
  });

  it("is measured by the endpoint's pattern, and slow ones come first", async () => {
    for (const [ms, route] of [
      [40, "/fast"],
      [900, "/slow"],
      [1_200, "/slow"],
    ] as const)
      web.timings.record("GET", route, ms > 1_000 ? 503 : 200, ms);
    await admin.send("GET", `/api/jobs/runs/${ABSENT_ID}`);
    await expect
      .poll(async () => {
        await web.timings.flush();
        const { top_slow_endpoints } = await get("aggregations");
        return top_slow_endpoints.map(({ endpoint }: { endpoint: string }) => endpoint);
      })
      .toContain("/slow");
    const { top_slow_endpoints } = await get("aggregations?timerange=30m");
    expect(top_slow_endpoints[0]).toMatchObject({ endpoint: "/slow", method: "GET", count: 2, avg_ms: 1050 });
    expect(top_slow_endpoints[0].p95_ms).toBeGreaterThan(900);
    const timings = await db.request_timings.findOne({ unit: "minute" });
    expect(Object.keys(required(timings).routes)).toContain("GET /slow");

    const { data } = await get("timeseries?metric=error_rate&timerange=30m&granularity=1m");
    expect(data.at(-1)).toMatchObject({ timestamp: "2037-11-14T12:00:00.000+00:00", errors: 1 });
    expect(data[0]).toMatchObject({ count: 0, error_rate: null });
    const times = await get("timeseries?metric=response_time&timerange=30m");
    expect(times.data.at(-1)).toMatchObject({ max_ms: 1200 });
  });

  it("is counted as alerts over time", async () => {
    const { data } = await get("timeseries?timerange=30m&granularity=300");
    expect(data).toHaveLength(7);
    // Buckets are by the alerts' start.
    expect(data.at(-2)).toMatchObject({ total: 2, critical: 1, warn: 1 });
  });

  it("is exported with nothing cut, as JSON and as CSV that no spreadsheet takes for formulas", async () => {
    await intake(
      alert({ fingerprint: "f0", annotations: { summary: '=HYPERLINK("http://x")' } }, { alertname: "@cmd" }),
    );
    await web.emitter.flush();
    const json = await admin.send("GET", "/api/observability/export");
    expect(json.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="codeshelf-observability-\w+\.json"/,
    );
    const { alerts, events } = json.body;
    expect([alerts.length, events.length]).toEqual([3, await db.events.countDocuments({})]);

    const { headers, body: text } = await admin.send("GET", "/api/observability/export?format=csv");
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(text.split("\r\n")).toHaveLength(1 + alerts.length + events.length + 1);
    expect(text).toContain(`"'@cmd"`);
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(text).not.toMatch(/(^|,)"[=+@-]/m);
  });
});

describe("quick fixes and explanations", () => {
  it("record that a quick fix was used", async () => {
    const alert_uid = await raisedUid();
    const track = (body: object) => post("quickfix/track", body);
    for (const body of [{}, { action_id: "open_jobs" }, { action_id: " ", alert_uid }])
      expect(await track(body)).toMatchObject({ status: 400, body: { error: "missing_fields" } });
    const unknown = await track({ action_id: "x", alert_uid: "none" });
    expect(unknown).toMatchObject({ status: 404, body: { alert_uid: "none" } });
    expect((await track({ action_id: "open_jobs", alert_uid })).body).toEqual({ ok: true });
    const { alerts } = await get("alerts?search=job_failed");
    expect(alerts[0].quick_fixes).toContainEqual(
      expect.objectContaining({ action_id: "open_jobs", href: "/admin/jobs", uses: 1 }),
    );
  });

  const ask = async (body: object, language = "en") => {
    const headers = { "Accept-Language": language };
    return (await admin.send("POST", "/api/observability/alerts/ai_explain", body, headers)).body;
  };

  it("explain an alert in the language of the administrator who asks", async () => {
    const alert = { name: "job_stuck", severity: "error" };
    const { explanation: english } = await ask({ alert });
    const { explanation: hebrew } = await ask({ alert }, "he");
    expect(english.root_cause).toContain("its worker stopped");
    for (const words of [hebrew.root_cause, ...hebrew.actions, ...hebrew.signals])
      expect(words).toMatch(/^[\u0590-\u05ff]/);
    expect(hebrew.actions).toHaveLength(english.actions.length);
    expect(await ask({ alert }, "he")).toMatchObject({ explanation: { ...hebrew, cached: true } });
  });

  it("explain an alert once, remember it, and reveal no secret in it", async () => {
    const alert_uid = await raisedUid();
    const { explanation } = await ask({ alert_uid });
    const local = { provider: "local", cached: false, generated_at: "2037-11-14T12:00:00.000+00:00" };
    expect(explanation).toMatchObject(local);
    expect(explanation.actions.length).toBeGreaterThan(0);
    expect(explanation.signals).toContain("job_id: trash_check");
    expect(await ask({ alert_uid })).toEqual({ ok: true, explanation: { ...explanation, cached: true } });
    const other = await ask({ alert: { name: "Strange", metadata: { password: "hunter2" } } });
    expect(JSON.stringify(other)).not.toContain("hunter2");
    expect(await ask({ alert_uid: "nothing" })).toMatchObject({ error: "alert_not_found" });
    expect(await ask({})).toMatchObject({ error: "missing_fields" });
  });
});

async function raisedUid(): Promise<string> {
  const alarm = {
    rule: "job_failed",
    subject: "trash_check",
    severity: "error",
    summary: "Job trash_check failed",
    metadata: { job_id: "trash_check" },
  } as const;
  await raiseAlert(db, alarm, NOON);
  return required(await db.alerts.findOne({ name: "job_failed" }))._id;
}
