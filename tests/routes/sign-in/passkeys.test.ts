import { describe, expect, it } from "vitest";
import { refusals } from "#app/i18n/en/refusals.ts";
import { findUserByIdentity } from "#db/accounts/identities.server.ts";
import { listSecurityEvents } from "#db/accounts/security-events.server.ts";
import { messengerKey } from "#domain/accounts/identity.ts";
import { passkeyKey } from "#domain/accounts/passkey.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { SoftPasskey } from "#tests/support/sign-in/soft-passkey.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const ORIGIN = "https://code.example.com";
const HERE = "/settings/sign-in";
const web = await openTestWeb({ PUBLIC_ORIGIN: ORIGIN, RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const { db } = web;

const fetchOptions = async (visitor: Visitor, query = "") =>
  (await visitor.send("GET", `/auth/passkey${query}`)).body;
const addForm = (credential: string, name = "Laptop") => ({ intent: "add_passkey", name, credential });

async function addPasskey(visitor: Visitor, passkey = new SoftPasskey(ORIGIN)): Promise<SoftPasskey> {
  const credential = passkey.create(await fetchOptions(visitor, "?new"));
  const response = await visitor.press(HERE, addForm(credential));
  expect(response.location).toBe(HERE);
  return passkey;
}

async function openAccount(): Promise<{ id: string; person: Visitor; passkey: SoftPasskey }> {
  const person = await web.person();
  return { id: person.id, person, passkey: await addPasskey(person) };
}

const answer = (visitor: Visitor, credential: string) => visitor.submit("/auth/passkey", { credential });
const whoIs = async (visitor: Visitor) => visitor.readJson("/api/me");

async function logIn(passkey: SoftPasskey): Promise<Visitor> {
  const visitor = web.visitor();
  const response = await answer(visitor, passkey.get(await fetchOptions(visitor)));
  expect(response.headers.get("Location")).toBe("/dashboard");
  return visitor;
}

async function expectRefused(visitor: Visitor, credential: string, reason: keyof typeof refusals) {
  expect((await answer(visitor, credential)).headers.get("Location")).toBe("/login");
  expect(await whoIs(visitor)).toMatchObject({ authenticated: false });
  expect(await visitor.read("/login")).toContain(refusals[reason]);
}

describe("a passkey", () => {
  it("opens the account it was added to, and is listed with its name and last use", async () => {
    const { id, person, passkey } = await openAccount();
    expect(await person.read(HERE)).toContain("Laptop");
    expect(await web.visitor().read("/login")).toContain("username webauthn");
    expect(await whoIs(await logIn(passkey))).toMatchObject({ authenticated: true, user: { id } });
    const record = await db.identities.findOne({ _id: passkeyKey(passkey.id) });
    const events = await listSecurityEvents(db, id, web.clock());
    expect(events.map((event) => [event.what, "method" in event && event.method])).toEqual([
      ["logged_in", "passkey"],
      ["method_added", "passkey"],
      ["logged_in", "messenger"],
    ]);
    const page = await person.read(HERE);
    expect(page).toContain("Recent security events");
    expect(page).toContain("Logged in: Passkey");
    expect(record).toMatchObject({ user_id: id, last_used_at: expect.any(Date), passkey: { counter: 1 } });
  });

  it("may be one of several, continues to the requested page, and gives it to a script", async () => {
    const { id, person, passkey } = await openAccount();
    const second = await addPasskey(person);
    expect(await whoIs(await logIn(second))).toMatchObject({ user: { id } });
    const visitor = web.visitor();
    const form = new URLSearchParams({ credential: passkey.get(await fetchOptions(visitor)) });
    const { body } = await visitor.send("POST", "/auth/passkey?next=/trash", form);
    expect(body).toEqual({ success: true, redirect: "/trash" });
  });

  it("may be the only credential of an account, and then cannot be removed", async () => {
    const { id, person, passkey } = await openAccount();
    await person.submit(HERE, { intent: "part", key: messengerKey(id) });
    expect(await findUserByIdentity(db, messengerKey(id))).toBeNull();
    const back = await logIn(passkey);
    expect(await whoIs(back)).toMatchObject({ user: { id } });
    const refused = await back.press(HERE, { intent: "part", key: passkeyKey(passkey.id) });
    expect(refused.status).toBe(409);
    await logIn(passkey);
  });

  it("does not work after its removal, and stays when its owner logs out everywhere", async () => {
    const { id, person, passkey } = await openAccount();
    await person.submit("/logout", { everywhere: "1" });
    expect(await whoIs(person)).toMatchObject({ authenticated: false });
    const back = await logIn(passkey);
    await back.submit(HERE, { intent: "part", key: passkeyKey(passkey.id) });
    expect(await db.users.findOne({ _id: id })).toMatchObject({ identity_keys: [messengerKey(id)] });
    const visitor = web.visitor();
    await expectRefused(visitor, passkey.get(await fetchOptions(visitor)), "passkey_unknown");
  });

  it("of an authenticator that does not count opens the account each time", async () => {
    const { passkey } = await openAccount();
    for (const _ of [1, 2]) {
      passkey.counter = -1;
      await logIn(passkey);
    }
  });
});

describe("a login by passkey is refused", () => {
  type Options = { challenge: string; rpId: string };
  type Attack = (passkey: SoftPasskey, options: Options) => Promise<string> | string;
  const forged = Buffer.from("mine.9999999999999.x").toString("base64url");

  it.each<[string, Attack]>([
    ["of another site", (passkey, options) => passkey.get(options, { origin: "https://evil.example" })],
    ["for another site", (passkey, options) => passkey.get(options, { rpId: "evil.example" })],
    [
      "without a person whom the device knew",
      (passkey, options) => passkey.get(options, { isVerified: false }),
    ],
    [
      "whose count went back",
      async (passkey, options) => {
        passkey.counter = 7;
        await logIn(passkey);
        return passkey.get(options, { counter: 5 });
      },
    ],
    [
      "with a challenge that nobody gave",
      (passkey, options) => passkey.get({ ...options, challenge: forged }),
    ],
    [
      "with the challenge of another browser",
      async (passkey) => passkey.get(await fetchOptions(web.visitor())),
    ],
    [
      "with the challenge for a new passkey",
      async (passkey) => {
        const { challenge, rp } = await fetchOptions((await openAccount()).person, "?new");
        return passkey.get({ challenge, rpId: rp.id });
      },
    ],
    [
      "under the id of another account's passkey",
      async (passkey, options) =>
        passkey.get(options).replaceAll(passkey.id, (await openAccount()).passkey.id),
    ],
    ["for the user of another account", (passkey, options) => passkey.get(options, { userHandle: "AAAA" })],
    [
      "with a signature over something else",
      (passkey, options) => {
        const sent = JSON.parse(passkey.get(options));
        const { signature } = JSON.parse(passkey.get(options)).response;
        return JSON.stringify({ ...sent, response: { ...sent.response, signature } });
      },
    ],
    ["that is no answer at all", () => "{}"],
  ])("%s", async (_, attack) => {
    const { passkey } = await openAccount();
    const visitor = web.visitor();
    const options = await fetchOptions(visitor);
    await expectRefused(visitor, await attack(passkey, options), "passkey_failed");
  });

  it("the second time, also from the same browser, and one of two at once", async () => {
    const { passkey } = await openAccount();
    const visitor = web.visitor();
    const credential = passkey.get(await fetchOptions(visitor));
    const cookies = new Map(visitor.cookies);
    const twins = [web.visitor(), web.visitor()];
    for (const twin of twins) for (const [name, value] of cookies) twin.cookies.set(name, value);
    const answers = await Promise.all(twins.map((twin) => answer(twin, credential)));
    expect(answers.map(({ headers }) => headers.get("Location")).sort()).toEqual(["/dashboard", "/login"]);
    await expectRefused(visitor, credential, "passkey_failed");
  });

  it("after five minutes", async () => {
    const { passkey } = await openAccount();
    const visitor = web.visitor();
    const credential = passkey.get(await fetchOptions(visitor));
    web.clock.pass(5 * MINUTE_MS);
    await expectRefused(visitor, credential, "passkey_failed");
    web.clock.set(NOON);
    expect((await answer(visitor, credential)).headers.get("Location")).toBe("/dashboard");
  });

  it("of an account that is locked", async () => {
    const { id, passkey } = await openAccount();
    await db.users.updateOne({ _id: id }, { $set: { locked_at: web.clock() } });
    const visitor = web.visitor();
    expect((await answer(visitor, passkey.get(await fetchOptions(visitor)))).status).toBe(403);
    expect(await whoIs(visitor)).toMatchObject({ authenticated: false });
  });
});

describe("a new passkey is refused", () => {
  type NewAttack = (passkey: SoftPasskey, person: Visitor) => Promise<string>;
  const create =
    (changes: Parameters<SoftPasskey["create"]>[1]): NewAttack =>
    async (passkey, person) =>
      passkey.create(await fetchOptions(person, "?new"), changes);

  it.each<[string, NewAttack]>([
    ["of another site", create({ origin: "https://evil.example" })],
    ["for another site", create({ rpId: "evil.example" })],
    ["without a person whom the device knew", create({ isVerified: false })],
    ["with a certificate of its device, which would have to be looked up", create({ fmt: "android-key" })],
    [
      "that another session asked for",
      async (passkey) => {
        const other = await web.person();
        return passkey.create(await fetchOptions(other, "?new"));
      },
    ],
    [
      "with the challenge of a login",
      async (passkey, person) => {
        const { challenge, rpId } = await fetchOptions(person);
        return passkey.create({ challenge, rp: { id: rpId }, user: { id: "AAAA" } });
      },
    ],
  ])("%s", async (_, attack) => {
    const person = await web.person();
    const credential = await attack(new SoftPasskey(ORIGIN), person);
    const response = await person.press(HERE, addForm(credential));
    expect(response.status).toBe(401);
    expect(response.html).toContain(refusals.passkey_failed);
    expect((await db.users.findOne({ _id: person.id }))?.identity_keys).toBeUndefined();
    await addPasskey(person);
  });

  it("if its id is that of another account's passkey", async () => {
    const { passkey, id } = await openAccount();
    const person = await web.person();
    const credential = new SoftPasskey(ORIGIN);
    Object.assign(credential, { id: passkey.id });
    const forged = credential.create(await fetchOptions(person, "?new"));
    const response = await person.press(HERE, addForm(forged));
    expect(response.status).toBe(409);
    expect(required(await findUserByIdentity(db, passkeyKey(passkey.id))).id).toBe(id);
    await logIn(passkey);
  });
});
