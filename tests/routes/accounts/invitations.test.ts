import { beforeAll, describe, expect, it } from "vitest";
import {
  assignInvitation,
  createInvitation,
  inviteFirstAdministrator,
} from "#db/accounts/invitations.server.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { newPersonId } from "#tests/support/given.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, signed, type Visitor } from "#tests/support/web.ts";

const ADMIN_ID = "9000";
const web = await openTestWeb({
  SIGN_UP: "invited",
  ADMIN_USER_IDS: ADMIN_ID,
});
const { db } = web;

/** A first login by the messenger, of a new person unless `id` is set. */
async function logIn(visitor: Visitor, id = Number(newPersonId())) {
  const login = signed({ id, first_name: "Dana", auth_date: Math.floor(web.clock().getTime() / 1000) });
  const { status, body } = await visitor.send("POST", "/auth/messenger", login);
  return { status, ...body };
}

async function invite(admin: Visitor): Promise<string> {
  const page = await admin.press("/admin/users", { intent: "invite" });
  return required(/value="https?:\/\/[^/"]+(\/invitations\/[^"]+)"/.exec(page.html)?.[1]);
}

async function openAdmin(): Promise<Visitor> {
  const admin = web.visitor();
  expect(await logIn(admin, Number(ADMIN_ID))).toMatchObject({ success: true });
  return admin;
}

const isIn = async (visitor: Visitor) => (await visitor.send("GET", "/api/me")).body.authenticated as boolean;

describe("on a server with invitations,", () => {
  it("a new person without an invitation is refused, and nothing of them is stored", async () => {
    const visitor = web.visitor();
    expect(await logIn(visitor, 55)).toMatchObject({ status: 403, code: "invitation_needed" });
    expect(await isIn(visitor)).toBe(false);
    expect(await db.users.findOne({ _id: "55" })).toBeNull();
  });

  it("a link makes one account and no second", async () => {
    const path = await invite(await openAdmin());
    const visitor = web.visitor();
    expect((await visitor.show(path)).location).toBe("/login");
    expect(await visitor.read("/login")).toContain("You are invited");
    expect(await logIn(visitor)).toMatchObject({ status: 200, success: true });
    expect(await isIn(visitor)).toBe(true);

    const { _id } = required(await db.invitations.findOne({}));
    expect(await web.events("invitation_created")).toEqual([
      expect.objectContaining({ role: "regular", resource: { type: "invitation", id: _id } }),
    ]);

    const second = web.visitor();
    await second.page(path);
    expect(await logIn(second)).toMatchObject({ status: 403 });
  });

  it("a login that was interrupted before its account was made is finished by the next, with the role", async () => {
    const created = orThrow(
      await createInvitation(db, { createdBy: ADMIN_ID, role: "premium" }, web.clock()),
    );
    expect(await assignInvitation(db, created.token, "66", web.clock())).toMatchObject({ role: "premium" });

    const other = web.visitor();
    await other.page(`/invitations/${created.token}`);
    expect(await logIn(other, 67)).toMatchObject({ status: 403, code: "invitation_ended" });

    const visitor = web.visitor();
    await visitor.page(`/invitations/${created.token}`);
    expect(await logIn(visitor, 66)).toMatchObject({ status: 200 });
    expect((await visitor.send("GET", "/api/me")).body).toMatchObject({ role: "premium" });
  });

  it("a link used twice at once lets one person in", async () => {
    const path = await invite(await openAdmin());
    const visitors = [web.visitor(), web.visitor()];
    for (const visitor of visitors) await visitor.page(path);
    const [one, other] = await Promise.all(visitors.map((visitor) => logIn(visitor)));
    expect([one?.status, other?.status].sort()).toEqual([200, 403]);
  });

  it("a link ends after a week, and an administrator can end it before", async () => {
    const admin = await openAdmin();
    const path = await invite(admin);
    const ids = await db.invitations.find({ used_by: null }).toArray();
    const visitor = web.visitor();
    await visitor.page(path);
    for (const { _id } of ids) await admin.submit("/admin/users", { intent: "uninvite", id: _id });
    expect(await logIn(visitor)).toMatchObject({ status: 403, code: "invitation_ended" });

    const created = orThrow(
      await createInvitation(db, { createdBy: ADMIN_ID, role: "regular" }, web.clock()),
    );
    const late = web.visitor();
    await late.page(`/invitations/${created.token}`);
    web.clock.pass(8 * DAY_MS);
    expect(await logIn(late)).toMatchObject({ status: 403, code: "invitation_ended" });
    web.clock.set(NOON);
  });

  it("the login stops saying that somebody is invited once the link is used; its person comes again as before", async () => {
    const path = await invite(await openAdmin());
    const [first, second] = [web.visitor(), web.visitor()];
    for (const visitor of [first, second]) {
      await visitor.page(path);
      expect(await visitor.read("/login")).toContain("You are invited");
    }
    for (const visitor of [first, web.visitor()])
      expect(await logIn(visitor, 78)).toMatchObject({ status: 200 });
    expect(await second.read("/login")).not.toContain("You are invited");
  });

  it("an unknown link leads to the login, which says so", async () => {
    const visitor = web.visitor();
    expect((await visitor.show("/invitations/nothing")).location).toBe("/login");
    expect(await visitor.read("/login")).toContain("This invitation was used or has expired");
  });

  it("the first link of an installation without people makes its administrator", async () => {
    const people = await db.users.find({}).toArray();
    await db.users.deleteMany({});
    const token = required(await inviteFirstAdministrator(db, web.clock()), "token");
    const visitor = web.visitor();
    await visitor.page(`/invitations/${token}`);
    expect(await logIn(visitor, 88)).toMatchObject({ status: 200 });
    expect((await visitor.send("GET", "/api/me")).body).toMatchObject({ role: "admin" });
    expect(await inviteFirstAdministrator(db, web.clock())).toBeNull();
    await db.users.insertMany(people);
  });
});

describe("a request to join", () => {
  beforeAll(() => db.invitations.deleteMany({}));

  /** Signs in by the messenger and requests access. */
  async function ask(visitor: Visitor, id: number): Promise<Response> {
    expect(await logIn(visitor, id)).toMatchObject({ status: 403, code: "invitation_needed" });
    return visitor.submit("/login", { intent: "ask" });
  }
  const listed = async (admin: Visitor) =>
    [...(await admin.read("/admin/users")).matchAll(/name="id" value="([\w-]{43})"/g)].map(([, id]) =>
      required(id),
    );

  it("is offered after a login without an invitation, and stored when the person asks", async () => {
    const visitor = web.visitor();
    expect(await visitor.read("/login")).not.toContain("Ask to join");
    await logIn(visitor, 501);
    expect(await visitor.read("/login")).toContain("Ask to join");
    expect(await db.join_requests.findOne({})).toBeNull();
    expect((await visitor.submit("/login", { intent: "ask" })).status).toBe(303);
    for (const _ of ["at once", "and when the page is opened again"]) {
      const html = await visitor.read("/login");
      expect(html).toContain("Request sent");
      expect(html).not.toContain("Ask to join");
    }
    expect((await visitor.submit("/login", { intent: "ask" })).status).toBe(401);
    await ask(visitor, 501);
    expect(await db.join_requests.countDocuments({})).toBe(1);
  });

  it("lets an approved person in, with that identity only", async () => {
    const admin = await openAdmin();
    await db.join_requests.deleteMany({});
    const [visitor, other] = [web.visitor(), web.visitor()];
    await ask(visitor, 502);
    const [id = ""] = await listed(admin);
    const html = await admin.read("/admin/users");
    const requests = html.slice(html.indexOf('id="join-requests"'), html.indexOf('id="invitations"'));
    expect(requests.match(/>Dana</g), "a name that is also the label is said once").toHaveLength(1);
    expect((await admin.submit("/admin/users", { intent: "approve", id })).status).toBe(303);
    expect(await listed(admin)).toEqual([]);
    expect(await logIn(other, 503)).toMatchObject({ status: 403 });
    expect(await logIn(visitor, 502)).toMatchObject({ status: 200 });
    expect((await visitor.send("GET", "/api/me")).body).toMatchObject({ role: "regular" });
    await visitor.submit("/logout", {});
    expect(await visitor.read("/login")).not.toContain("Request sent");
    expect(await db.join_requests.findOne({ _id: id })).toBeNull();
    expect((await admin.submit("/admin/users", { intent: "decline", id })).status).toBe(404);
    expect(await web.events("join_requested")).not.toHaveLength(0);
    expect(await web.events("join_request_answered")).toEqual([
      expect.objectContaining({ answer: "approved", resource: { type: "join_request", id } }),
    ]);
  });

  it("that was declined lets nobody in and cannot be repeated while the answer is valid", async () => {
    const admin = await openAdmin();
    const visitor = web.visitor();
    await ask(visitor, 504);
    const [id = ""] = await listed(admin);
    await admin.submit("/admin/users", { intent: "decline", id });
    await ask(visitor, 504);
    expect(await listed(admin)).toEqual([]);
    expect(await logIn(visitor, 504)).toMatchObject({ status: 403 });
    web.clock.pass(15 * DAY_MS);
    await ask(visitor, 504);
    expect(await listed(await openAdmin())).toEqual([id]);
    web.clock.set(NOON);
  });

  it("is refused where a hundred wait, without a login before it, and with one that was changed", async () => {
    expect((await web.visitor().submit("/login", { intent: "ask" })).status).toBe(401);
    const forger = web.visitor();
    await logIn(forger, 505);
    forger.cookies.set("join", `${Buffer.from("{}").toString("base64url")}.x`);
    expect((await forger.submit("/login", { intent: "ask" })).status).toBe(401);
    const request = { kind: "oidc" as const, label: "", name: "", answer: null, created_at: web.clock() };
    const expires_at = new Date(web.clock().getTime() + 1000);
    await db.join_requests.insertMany(
      Array.from({ length: 100 }, (_, i) => ({ ...request, _id: `waiting-${i}`, expires_at })),
    );
    expect((await ask(web.visitor(), 506)).status).toBe(429);
  });
});

it("a closed server refuses a first login, except that of an appointed administrator", async () => {
  const closed = await openTestWeb({ SIGN_UP: "closed", ADMIN_USER_IDS: ADMIN_ID });
  expect(await logIn(closed.visitor())).toMatchObject({ success: false, code: "sign_up_closed" });
  expect(await logIn(closed.visitor(), Number(ADMIN_ID))).toMatchObject({ success: true });
});
