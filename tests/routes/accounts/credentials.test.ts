import { beforeAll, describe, expect, it } from "vitest";
import { createShareKey } from "#app/web/session/share-key.ts";
import { authenticateFeed, createOrReplaceFeed } from "#db/accounts/feeds.server.ts";
import { createSession, findUserBySession } from "#db/accounts/sessions.server.ts";
import { authenticateToken, createToken } from "#db/accounts/tokens.server.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import { endAllCredentials } from "#db/operations/credentials.server.ts";
import { findReachPerOwner, setSubscription } from "#db/reminders/push/push-subscriptions.server.ts";
import { findShare } from "#db/shares/shares.server.ts";
import { CREDENTIAL_KINDS, type CredentialKind } from "#domain/accounts/credential.ts";
import { itemAt, required } from "#domain/required.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import {
  bearer,
  givenCredentials,
  givenOpenShare,
  givenToken,
  PASSWORD,
} from "#tests/support/accounts/credentials.ts";
import { newPersonId } from "#tests/support/given.ts";
import { NOON } from "#tests/support/store.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  VAPID_PUBLIC_KEY: generateVapidPair().publicKey,
});
const admin = await web.person(ADMIN_ID);
const FORM = "/settings/sessions";
const GONE: Record<CredentialKind, number> = {
  session: 401,
  token: 401,
  feed: 404,
  device: 404,
  share_password: 403,
};
const readStatuses = async (held: Record<CredentialKind, () => Promise<number>>) =>
  Object.fromEntries(await Promise.all(CREDENTIAL_KINDS.map(async (kind) => [kind, await held[kind]()])));
const ALL_STAND = Object.fromEntries(CREDENTIAL_KINDS.map((kind) => [kind, 200]));
const json = { headers: { Accept: "application/json" } };
const listed = async (visitor: Visitor) => (await visitor.send("GET", FORM, undefined, json.headers)).body;

describe("every credential of an account", () => {
  let others: Awaited<ReturnType<typeof givenCredentials>>;
  beforeAll(async () => {
    others = await givenCredentials(web, newPersonId());
  });

  const WAYS: [name: string, end: (id: string, here: Visitor) => Promise<unknown>][] = [
    ["the one write alone", (id) => web.db.users.updateOne({ _id: id }, { $inc: { credential_epoch: 1 } })],
    ["logging out everywhere", (_, here) => here.submit("/logout", { everywhere: "1" })],
    ["ending all on the page", (_, here) => here.submit(FORM, { intent: "end_all" })],
    ["an administrator", (user_id) => admin.submit("/admin/users", { intent: "revoke", user_id })],
  ];

  it.each(drawCases("ways to end all", WAYS, 2))("is ended by %s, and nobody else's", async (_, end) => {
    const id = newPersonId();
    const held = await givenCredentials(web, id);
    expect(await readStatuses(held)).toEqual(ALL_STAND);

    await end(id, held.here);

    expect(await readStatuses(held)).toEqual(GONE);
    expect(await readStatuses(others)).toEqual(ALL_STAND);
  });

  itDrawn("credentials without an epoch", 3)(
    "works until the first end if it was made before epochs were recorded",
    async () => {
      const id = newPersonId();
      const held = await givenCredentials(web, id);
      await web.db.users.updateOne({ _id: id }, { $unset: { credential_epoch: "", "sessions.0.epoch": "" } });
      for (const name of ["tokens", "feeds", "push_subscriptions"] as const)
        await web.db[name].updateMany({ user_id: id } as never, { $unset: { epoch: "" } } as never);
      expect(await readStatuses(held)).toEqual(ALL_STAND);

      await held.here.submit(FORM, { intent: "end_all" });

      expect(await readStatuses(held)).toEqual(GONE);
    },
  );

  it("is refused as soon as its end is acknowledged, however many requests are in progress", async () => {
    const here = await web.person();
    const token = await givenToken(here);
    const script = web.visitor();
    let hasEnded = false;
    const ask = async () => {
      const beganAfterEnd = hasEnded;
      const { status } = await script.ask("/api/stats", bearer(token));
      return { beganAfterEnd, status };
    };
    const asking = Array.from({ length: 8 }, async () => {
      const answers = [];
      for (let i = 0; i < 8; i += 1) answers.push(await ask());
      return answers;
    });
    await ask();
    await here.submit(FORM, { intent: "end_all" });
    hasEnded = true;
    const answers = [...(await Promise.all(asking)).flat(), await ask()];
    const after = answers.filter(({ beganAfterEnd }) => beganAfterEnd).map(({ status }) => status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(new Set(after)).toEqual(new Set([401]));
  });
});

describe("a credential that is made while all others end", () => {
  const device = {
    endpoint: "",
    p256dh: "x",
    auth: "x",
    locale: "en",
    browser: "firefox",
    system: "linux",
  } as const;
  /** Makes a credential for a request that was authenticated before; tells whether it works. */
  const MAKERS: Record<CredentialKind, (user: User) => Promise<unknown>> = {
    session: async (user) => {
      const { id } = await createSession(web.db, user, NOON);
      return findUserBySession(web.db, user.id, id, NOON);
    },
    token: async (user) => {
      const wish = { name: "late", scope: "read", lifetimeDays: null } as const;
      return authenticateToken(web.db, orThrow(await createToken(web.db, user, wish, NOON)).secret, NOON);
    },
    feed: async (user) =>
      authenticateFeed(web.db, orThrow(await createOrReplaceFeed(web.db, user, NOON)).secret, NOON),
    device: async (user) => {
      const endpoint = `https://push.example.com/late-${user.id}`;
      await setSubscription(web.db, user, { ...device, endpoint }, "key", NOON);
      return itemAt(await findReachPerOwner(web.db, [user.id]), 0).devices[0] ?? null;
    },
    share_password: async (user) => {
      const share = required(await web.db.shares.findOne({ user_id: user.id }));
      const stored = required(await findShare(web.db, share._id, NOON));
      const key = createShareKey(
        web.env.sessionSecret,
        { ...stored, owner_epoch: user.credential_epoch },
        NOON,
      );
      const raw = await web.visitor().ask(`/share/${share._id}/raw?key=${encodeURIComponent(key)}`);
      return raw.status === 200 ? raw : null;
    },
  };

  it.each(CREDENTIAL_KINDS)("does not work if it is a %s", async (kind) => {
    const id = newPersonId();
    await givenOpenShare(web, await web.person(id));
    const letIn = async () => toUser(required(await web.db.users.findOne({ _id: id })));
    expect(await MAKERS[kind](await letIn())).not.toBeNull();
    const user = await letIn();

    await endAllCredentials(web.db, id);

    expect(await MAKERS[kind](user)).toBeNull();
  });

  it("does not take the place of a feed address that was made after", async () => {
    const id = newPersonId();
    await web.person(id);
    const before = toUser(required(await web.db.users.findOne({ _id: id })));
    await endAllCredentials(web.db, id);
    const after = toUser(required(await web.db.users.findOne({ _id: id })));
    const { secret } = orThrow(await createOrReplaceFeed(web.db, after, NOON));

    expect(await createOrReplaceFeed(web.db, before, NOON)).toMatchObject({ refused: "auth_required" });

    expect(await authenticateFeed(web.db, secret, NOON)).toMatchObject({ user: { id } });
  });
});

describe("/settings/sessions", () => {
  const KEYS: Record<CredentialKind, string> = {
    session: "sessions",
    token: "tokens",
    feed: "feeds",
    device: "devices",
    share_password: "share_passwords",
  };

  it.each(CREDENTIAL_KINDS)("lists a %s with its last use, and ends that one alone", async (kind) => {
    const id = newPersonId();
    const held = await givenCredentials(web, id);
    const here = await web.person(id);
    await readStatuses(held);
    const before = await listed(here);
    const [credential] = before[KEYS[kind]].filter(({ is_here = false }) => !is_here);
    expect(credential).toMatchObject({ key: expect.any(String), created_at: expect.any(String) });
    if (kind !== "device") expect(credential.last_used_at).toBe("2037-11-14T12:00:00.000+00:00");

    const answer = await here.press(FORM, { intent: "end", key: credential.key });

    expect([answer.status, answer.location]).toEqual([303, FORM]);
    // A browser that subscribed inside a session ends with it.
    const alongside = kind === "session" ? { device: GONE.device } : {};
    expect(await readStatuses(held)).toEqual({ ...ALL_STAND, ...alongside, [kind]: GONE[kind] });
    const end = new URLSearchParams({ intent: "end", key: credential.key });
    const again = await here.send("POST", FORM, end);
    expect(again.status).toBe(kind === "share_password" ? 200 : 404);
    if (kind === "share_password") expect(await web.events("share_keys_revoked")).toHaveLength(2);
  });

  it("ends nothing of anybody else", async () => {
    const held = await givenCredentials(web, newPersonId());
    const stranger = await web.person();
    const lists = await listed(held.here);
    for (const name of Object.values(KEYS))
      for (const { key } of lists[name])
        expect((await stranger.submit(FORM, { intent: "end", key })).status).toBe(404);

    expect(await readStatuses(held)).toEqual(ALL_STAND);
  });

  it("reveals no secret, as a page and as JSON", async () => {
    const id = newPersonId();
    const { here } = await givenCredentials(web, id);
    const page = await here.read(FORM);
    for (const text of [page, JSON.stringify(await listed(here))]) {
      expect(text).toContain("script");
      for (const { digest } of await web.db.tokens.find({ user_id: id }).toArray())
        expect(text).not.toContain(digest);
      for (const { id: session } of required(await web.db.users.findOne({ _id: id })).sessions)
        expect(text).not.toContain(session);
      expect(text).not.toContain("push.example.com");
      expect(text).not.toContain(PASSWORD);
    }
  });

  it("logs out the person who ends their own session, or all", async () => {
    for (const intent of ["end", "end_all"]) {
      const here = await web.person();
      const { sessions } = await listed(here);
      const { key } = sessions.find(({ is_here }: { is_here: boolean }) => is_here);

      const answer = await here.press(FORM, { intent, key });

      expect([answer.status, answer.location]).toEqual([303, "/login"]);
      expect((await here.ask("/api/files")).status).toBe(401);
      const words = (await here.read("/login")).includes("Logged out everywhere.");
      expect(words).toBe(intent === "end_all");
    }
  });
});

it("POST /settings/tokens accepts any number of days, and shows a script the token once", async () => {
  const here = await web.person();
  const create = (lifetime: string) => {
    const wish = new URLSearchParams({ intent: "create", name: "ci", scope: "read", lifetime });
    return here.send("POST", "/settings/tokens", wish, json.headers);
  };
  const { status, headers, body } = await create("1");
  expect([status, body.ok, body.token.name]).toEqual([200, true, "ci"]);
  expect(headers.get("Cache-Control")).toBe("private, no-store");
  expect((await web.visitor().ask("/api/files", bearer(body.secret))).status).toBe(200);
  for (const wrong of ["0", "-1", "1.5", "3651", "forever"]) expect((await create(wrong)).status).toBe(400);
});
