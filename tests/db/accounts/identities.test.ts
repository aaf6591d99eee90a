import { describe, expect, it } from "vitest";
import {
  addIdentity,
  findUserByIdentity,
  listIdentities,
  oidcKey,
  removeIdentity,
  reserveUserId,
} from "#db/accounts/identities.server.ts";
import { setGroupRole } from "#db/accounts/people.server.ts";
import { signInUser } from "#db/accounts/users.server.ts";
import { IDENTITIES_MAX, messengerKey } from "#domain/accounts/identity.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { givenAccount } from "#tests/support/accounts/accounts.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";

const { db, events } = await openTestStore();
const proven = (subject: string) => ({ key: oidcKey("https://id.example.com", subject), label: subject });
const names = { first_name: "Noa", last_name: null, username: null, photo_url: null };

async function givenOidcAccount(subject: string) {
  const identity = proven(subject);
  const id = await reserveUserId(db, identity, NOON);
  if (typeof id !== "string") throw new Error("refused");
  return signInUser(db, { id, ...names }, NOON, { identity_keys: [identity.key] });
}

describe("an account", () => {
  it("that the messenger made keeps the messenger's id and needs no record", async () => {
    await givenAccount(db, "100", NOON);
    expect(await findUserByIdentity(db, messengerKey("100"))).toMatchObject({ id: "100" });
    expect(await db.identities.countDocuments({ user_id: "100" })).toBe(0);
  });

  it("is made once by a first sign-in that stopped halfway and was tried again", async () => {
    const first = await reserveUserId(db, proven("twice"), NOON);
    expect(await reserveUserId(db, proven("twice"), afterNoon(1))).toBe(first);
  });

  it("of the same subject at another issuer is another one", async () => {
    await givenOidcAccount("issuer");
    expect(await findUserByIdentity(db, oidcKey("https://other.example.com", "issuer"))).toBeNull();
  });
});

describe("joining", () => {
  it("lets both identities open the account", async () => {
    const user = await givenAccount(db, "200", NOON);
    expect(await addIdentity(db, user, proven("200"), NOON)).toBe(true);

    expect((await findUserByIdentity(db, messengerKey("200")))?.id).toBe("200");
    const joined = required(await findUserByIdentity(db, proven("200").key));
    expect(joined.id).toBe("200");
    expect((await listIdentities(db, joined)).map(({ kind }) => kind)).toEqual(["messenger", "oidc"]);
    expect(await events("identity_joined")).toMatchObject([{ kind: "oidc", resource: { type: "user" } }]);
  });

  it("is refused for an account of the messenger that exists", async () => {
    await givenAccount(db, "202", NOON);
    const other = await givenOidcAccount("wants 202");
    const wanted = { key: messengerKey("202"), label: "dana" };
    expect(await addIdentity(db, other, wanted, NOON)).toEqual(Refusal("identity_taken"));
  });

  it("by two accounts at once leaves it with one of them", async () => {
    const users = await Promise.all(["203", "204", "205", "206"].map((id) => givenAccount(db, id, NOON)));
    const answers = await Promise.all(users.map((user) => addIdentity(db, user, proven("wanted"), NOON)));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    const listing = await db.users.countDocuments({ identity_keys: proven("wanted").key });
    expect(listing).toBe(1);
  });

  it("takes over what an interrupted join of another account left, a minute later", async () => {
    const user = await givenAccount(db, "207", NOON);
    await givenAccount(db, "208", NOON);
    const { key, label } = proven("left over");
    await db.identities.insertOne({ _id: key, user_id: "208", label, created_at: NOON, last_used_at: null });
    expect(await addIdentity(db, user, { key, label }, afterNoon(1_000))).toEqual(Refusal("identity_taken"));
    expect(await addIdentity(db, user, { key, label }, afterNoon(61_000))).toBe(true);
    expect((await findUserByIdentity(db, key))?.id).toBe("207");
  });

  it("ends at twenty, however many are joined at once", async () => {
    const user = await givenAccount(db, "209", NOON);
    const many = Array.from({ length: IDENTITIES_MAX + 4 }, (_, i) => proven(`many ${i}`));
    await Promise.all(many.map((identity) => addIdentity(db, user, identity, NOON)));
    const doc = required(await db.users.findOne({ _id: "209" }));
    expect(doc.identity_keys).toHaveLength(IDENTITIES_MAX);
  });
});

describe("parting", () => {
  it("leaves the account to the other identity, and frees the one that went", async () => {
    const user = await givenAccount(db, "300", NOON);
    await addIdentity(db, user, proven("300"), NOON);
    expect(await removeIdentity(db, "300", messengerKey("300"))).toBe(true);

    expect(await events("identity_parted")).toMatchObject([{ kind: "messenger" }]);
    expect(await findUserByIdentity(db, messengerKey("300"))).toBeNull();
    expect((await findUserByIdentity(db, proven("300").key))?.id).toBe("300");
    expect(await reserveUserId(db, { key: messengerKey("300"), label: "" }, NOON)).toMatch(/^[0-9a-f]{24}$/);
  });

  it("of both identities at once leaves one", async () => {
    const user = await givenAccount(db, "302", NOON);
    await addIdentity(db, user, proven("302"), NOON);
    const keys = [messengerKey("302"), proven("302").key];
    const answers = await Promise.all(keys.map((key) => removeIdentity(db, "302", key)));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect((await db.users.findOne({ _id: "302" }))?.identity_keys).toHaveLength(1);
  });

  it("takes nothing from another account", async () => {
    const owner = await givenOidcAccount("kept");
    await givenAccount(db, "303", NOON);
    expect(await removeIdentity(db, "303", proven("kept").key)).toEqual(Refusal("identity_not_found"));
    expect((await findUserByIdentity(db, proven("kept").key))?.id).toBe(owner.id);
  });

  it("ends a role that the provider's groups gave, and no other", async () => {
    const role = async (id: string) => (await db.users.findOne({ _id: id }))?.role;
    for (const id of ["304", "305"]) {
      await addIdentity(db, await givenAccount(db, id, NOON), proven(id), NOON);
    }
    await setGroupRole(db, "304", "admin");
    await db.users.updateOne({ _id: "305" }, { $set: { role: "admin" } });
    await setGroupRole(db, "305", null);
    expect([await role("304"), await role("305")]).toEqual(["admin", "admin"]);
    for (const id of ["304", "305"]) await removeIdentity(db, id, proven(id).key);
    expect([await role("304"), await role("305")]).toEqual(["regular", "admin"]);
  });
});
