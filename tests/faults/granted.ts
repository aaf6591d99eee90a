/**
 * A granted request for each row. The matrix accepts a request that is only read; here everything it needs exists and is configured, so
 * that it makes each of its calls to the stores.
 */

import { createHmac } from "node:crypto";
import { ObjectId } from "mongodb";
import { addIdentity, findUserByIdentity } from "#db/accounts/identities.server.ts";
import { recordAlerts } from "#db/alerts/alerts.server.ts";
import { recordFailedRun } from "#db/jobs/job-runs.server.ts";
import { createRepo } from "#db/repos/repos.server.ts";
import { messengerKey } from "#domain/accounts/identity.ts";
import { required } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { MAKERS, type Names } from "#tests/authorisation/belongings.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { ALERTS_TOKEN, type Call } from "#tests/entries/entry.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { openCodeHost, TOKEN } from "#tests/support/repos/code-host.ts";
import { givenSync } from "#tests/support/repos/given-repo.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import type { TestWeb, Visitor } from "#tests/support/web.ts";

const WEBHOOK_SECRET = "pushes of tests";
const vapid = generateVapidPair();
const service = await openPushService(vapid.publicKey);
const host = await openCodeHost();

export const CONFIGURED = {
  ALERTS_TOKEN,
  CODEHOST_WEBHOOK_SECRET: WEBHOOK_SECRET,
  CODEHOST_API_URL: host.url,
  CODEHOST_ALLOW_LOCAL: "1",
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  PUSH_ALLOW_LOOPBACK: "1",
  RATE_LIMIT_CODE_RUNS_PER_MINUTE: "100000",
};
export const closeGranted = () => service.close();

type Make = (owner: Visitor, web: TestWeb) => Promise<Names>;
export type GrantedRow = Call & { make: Make };

let count = 0;
const another = () => {
  count += 1;
  return count;
};

/** A synced mirror with a token for its host. */
const mirrored: Make = async (_, { db, clock }) => {
  count += 1;
  const name = `granted/repo-${count}`;
  const wish = { url: `file:///srv/git/${name}.git`, name, token: TOKEN };
  const repo = orThrow(await createRepo(db, OWNER_ID, wish, { allowLocal: true, dataKeys }, clock()));
  await givenSync(db, repo, { put: { "a.py": "print(1)\n", "b.py": "print(2)\n" } });
  return {
    repo_name: encodeURIComponent(name),
    name: encodeURIComponent(name),
    plain: name,
    repo_path: "a.py",
    url: repo.url,
  };
};

/** A second identity, which may be removed. */
const identified: Make = async (_, { db, clock }) => {
  const user = required(await findUserByIdentity(db, messengerKey(OWNER_ID)));
  const key = `oidc:granted-${another()}`;
  await addIdentity(db, user, { key, label: "dana" }, clock());
  return { key };
};

const orphaned: Make = async (owner, web) => {
  const names = await mirrored(owner, web);
  const target = { kind: "repo", repo_name: required(names.plain), repo_path: "gone.py" } as const;
  const note = await web.given.note(OWNER_ID, { content: "one" }, target);
  return { ...names, note_id: note.id };
};

const subscribed: Make = async (owner) => {
  count += 1;
  const { subscription } = service.browser(`device-${count}`);
  await owner.ask("/api/push/subscribe", { method: "POST", body: JSON.stringify(subscription) });
  return { endpoint: subscription.endpoint };
};

const alerted: Make = async (_, { db, clock }) => {
  const name = `alert-${another()}`;
  const [started_at, ended_at] = [clock(), null];
  const alert = { name, severity: "critical", summary: "one", status: "firing", metadata: {} } as const;
  await recordAlerts(db, [{ ...alert, fingerprint: name, started_at, ended_at }], clock());
  return { alert_uid: required(await db.alerts.findOne({ name }))._id };
};

const ticked: Make = async (owner, web) => {
  const names = await MAKERS.note(owner);
  const { updated_at } = required(await web.db.notes.findOne({ _id: new ObjectId(names.note_id) }));
  return { ...names, prev_updated_at: toTimestamp(updated_at) };
};

const filledFolder: Make = async (owner) => {
  const names = await MAKERS.folder(owner);
  const { file_id } = await MAKERS.file(owner);
  const body = JSON.stringify({ folder_id: names.folder_id });
  await owner.ask(`/api/file/${file_id}`, { method: "PATCH", body });
  return names;
};

const sharedAddress: Make = async (owner, web) => {
  const { share_id } = await MAKERS.share(owner);
  return { address: encodeURIComponent(`${web.url}/share/${share_id}`) };
};

const gist = () => ({ description: "two", files: { "a.py": { content: "1" }, "b.py": { content: "2" } } });

const uninstructed: Make = async (_, { db }) => {
  await db.agent_instructions.deleteOne({ _id: OWNER_ID });
  return {};
};

const signature = (body: string) =>
  `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`;
const buildPush = ({ url }: Names) => ({ repository: { clone_url: url } });

const failed: Make = async (_, { db, clock }) => {
  await recordFailedRun(db, "trash_check", {}, "push_given_up", clock());
  const run = required(await db.job_runs.findOne({ status: "failed" }, { sort: { _id: -1 } }));
  return { run_id: run._id };
};

type Grant = Partial<Call> & { make?: Make };

const GRANTS: Record<string, Grant> = {
  "POST /api/alerts/webhook": {
    headers: () => ({ Authorization: `Bearer ${ALERTS_TOKEN}` }),
    json: () => ({
      version: "4",
      alerts: [{ status: "firing", labels: { alertname: "one" }, startsAt: "2037-11-14T11:00:00Z" }],
    }),
    ok: 200,
  },
  "POST /api/sticky-notes/note/:note_id/task": {
    make: ticked,
    json: ({ prev_updated_at }) => ({ index: 0, checked: true, prev_updated_at }),
    ok: 200,
  },
  "POST /api/jobs/runs/:run_id/retry": { make: failed, ok: 202 },
  "POST /api/jobs/runs/:run_id/dismiss": { make: failed, ok: 200 },
  "POST /api/jobs/runs/:run_id/restore": { make: failed, ok: 200 },
  "POST /admin/jobs/runs/:run_id": { make: failed, ok: 303 },
  "POST /api/folders/:folder_id/share": { make: filledFolder, ok: 200 },
  "POST /api/gists": { json: () => ({ gist: gist() }), ok: 200 },
  "POST /upload/gist": { form: () => ({ gist: JSON.stringify(gist()) }), ok: 200 },
  "GET /oembed": { make: sharedAddress, query: "?url=:address", ok: 200 },
  "POST /api/sticky-notes/batch": {
    needs: "note",
    json: ({ note_id }) => ({ updates: [{ id: note_id, position: { x: 1, y: 1 } }] }),
  },
  "POST /api/code/run": { json: () => ({ code: "print(1)" }), ok: 200 },
  "POST /api/push/subscribe": {
    make: async () => ({ device: `device-${another()}` }),
    json: ({ device }) => service.browser(required(device)).subscription,
    ok: 201,
  },
  "DELETE /api/push/subscribe": { make: subscribed, json: ({ endpoint }) => ({ endpoint }), ok: 200 },
  "POST /api/push/subscriptions/cleanup": { make: subscribed },
  "DELETE /api/push/subscriptions/delete-all": { make: subscribed },
  "POST /api/push/sw-report": { json: () => ({ step: "shown", status: "ok" }), ok: 200 },
  "POST /api/push/test": { make: subscribed, json: () => ({ via: "local" }), ok: 200 },
  "PATCH /api/repos/:repo_name": { make: mirrored },
  "DELETE /api/repos/:repo_name": { make: mirrored },
  "POST /api/repos/:repo_name/sync": { make: mirrored },
  "POST /api/repos/:repo_name/import": { make: mirrored, ok: 202 },
  "POST /api/repos/:repo_name/upload": { make: mirrored, ok: 201 },
  "POST /api/repos/:repo_name/analysis": { make: mirrored, ok: 202 },
  "POST /api/webhooks/codehost": {
    make: mirrored,
    raw: undefined,
    json: buildPush,
    headers: (names) => ({
      "X-Hub-Signature-256": signature(JSON.stringify(buildPush(names))),
      "X-GitHub-Event": "push",
      "X-GitHub-Delivery": required(names.plain).replace("/", "-"),
    }),
    ok: 200,
  },
  "POST /api/sticky-notes/note/:note_id/reattach": {
    make: orphaned,
    json: ({ repo_path }) => ({ repo_path }),
    ok: 200,
  },
  "POST /api/sticky-notes/repo/:repo_name/*repo_path": { make: mirrored, ok: 201 },
  "POST /api/observability/quickfix/track": {
    make: alerted,
    json: ({ alert_uid }) => ({ action_id: "retry", alert_uid }),
    ok: 200,
  },
  "POST /api/observability/alerts/ai_explain": {
    make: alerted,
    json: ({ alert_uid }) => ({ alert_uid }),
    ok: 200,
  },

  "GET /api/push/public-key": { ok: 200 },
  "GET /api/repos/:repo_name/tree": { make: mirrored, ok: 200 },
  "GET /api/repos/:repo_name/file": { make: mirrored, query: "?path=a.py", ok: 200 },
  "GET /api/repos/:repo_name/search": { make: mirrored, ok: 200 },
  "GET /api/repos/:repo_name/history": { make: mirrored, ok: 200 },
  "GET /api/repos/:repo_name/import": { make: mirrored, ok: 200 },
  "GET /api/sticky-notes/repo-orphans/:repo_name": { make: orphaned, ok: 200 },
  "GET /api/sticky-notes/repo/:repo_name/*repo_path": { make: mirrored, ok: 200 },
  "GET /repos/:name/orphans": { make: orphaned, ok: 200 },

  "POST /repos": {
    make: mirrored,
    form: ({ plain }) => ({ intent: "sync", repo_name: required(plain) }),
    ok: 303,
  },
  "POST /repos/:name": {
    make: mirrored,
    form: () => ({ url: "https://example.com/other/place" }),
    ok: 303,
  },
  "POST /repos/:name/orphans": {
    make: orphaned,
    form: () => ({ from: "gone.py", path: "a.py" }),
    ok: 303,
  },
  "POST /repos/:name/import": { make: mirrored, form: () => ({ intent: "import", path: "" }), ok: 303 },
  "POST /repos/:name/analysis": { make: mirrored, ok: 303 },
  "POST /settings": { make: uninstructed, form: () => ({ instructions: "one" }), ok: 303 },
  "POST /settings/sign-in": {
    make: identified,
    form: ({ key }) => ({ intent: "part", key: required(key) }),
    ok: 303,
  },
  "POST /settings/tokens": {
    form: () => ({ intent: "create", name: `t${another()}`, scope: "read", lifetime: "90" }),
    ok: 200,
  },
};

/**
 * Not struck: signing in and out and account deletion would change the person for the next try; this server offers no passkeys; verbs of
 * other rows serve the pages of the administration and of uploads; building indexes makes a hundred equal calls; and a program here ends
 * before it can be stopped.
 */
const LEFT_OUT = [
  ...["GET /logout", "POST /logout", "GET /auth/messenger", "POST /auth/messenger", "GET /auth/passkey"],
  ...["POST /auth/passkey", "POST /login", "POST /settings/sessions", "POST /settings/delete"],
  ...["POST /admin/users", "POST /admin/announcements", "POST /admin/observability"],
  ...["POST /file/:id/upload", "POST /settings/export", "POST /admin/verify-indexes"],
  "POST /api/code/run/:run_id/stop",
];

const isReading = ({ call }: Call) => call.startsWith("GET") && !LEFT_OUT.includes(call);
const isWriting = ({ call }: Call) => !call.startsWith("GET") && !LEFT_OUT.includes(call);
const granted = (row: Call): GrantedRow => {
  const grant = GRANTS[row.call] ?? {};
  const make = grant.make ?? MAKERS[grant.needs ?? row.needs ?? "nothing"];
  return { ...row, ...grant, make };
};

export const GRANTED_API = API_ENTRIES.filter(isWriting).map(granted);
export const GRANTED_PAGES = PAGE_ENTRIES.filter(isWriting).map(granted);
export const READ_API = API_ENTRIES.filter(isReading).map(granted);
export const READ_PAGES = PAGE_ENTRIES.filter(isReading).map(granted);
