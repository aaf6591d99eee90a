import { beforeAll, describe, expect, it } from "vitest";
import { refusals } from "#app/i18n/en/refusals.ts";
import { listIdentities, oidcKey } from "#db/accounts/identities.server.ts";
import { toUser } from "#db/accounts/users.server.ts";
import { required } from "#domain/required.ts";
import { openOidcPeer, passProvider } from "#tests/support/sign-in/oidc-peer.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const peer = await openOidcPeer();
const web = await openTestWeb({
  ...peer.variables,
  OIDC_ADMIN_GROUP: "shelf-admins",
  OIDC_PREMIUM_GROUP: "shelf-premium",
});
beforeAll(() => peer.tell({ say: "client", redirectUri: `${web.url}/auth/oidc/callback` }));

const be = (sub: string, claims: Record<string, unknown> = {}) =>
  peer.tell({ say: "account", sub, claims: { preferred_username: sub, ...claims } });
const location = (response: Response) => required(response.headers.get("Location"));
const toPath = (url: URL) => url.pathname + url.search;
const whoIs = async (visitor: Visitor) => visitor.readJson("/api/me");
const isIn = async (visitor: Visitor) => (await whoIs(visitor)).authenticated as boolean;

/** Goes to the provider, as this subject if set, and back to the product. */
async function begin(visitor: Visitor, sub?: string, path = "/auth/oidc", change = (url: URL) => url) {
  if (sub) await be(sub);
  const url = change(new URL(location(await visitor.page(path))));
  return passProvider(url.href);
}

async function logIn(sub: string, claims: Record<string, unknown> = {}): Promise<Visitor> {
  await be(sub, claims);
  const visitor = web.visitor();
  const response = await visitor.page(toPath(await begin(visitor)));
  expect(location(response)).toBe("/dashboard");
  return visitor;
}

async function expectRefused(visitor: Visitor, back: URL, reason: keyof typeof refusals) {
  const response = await visitor.page(toPath(back));
  expect(location(response)).toBe("/login");
  expect(await isIn(visitor)).toBe(false);
  expect(await visitor.read("/login")).toContain(refusals[reason]);
}

/** A browser that has begun a login as noa, and the address to which the provider redirects it. */
async function begun() {
  const visitor = web.visitor();
  return { visitor, back: await begin(visitor, "noa") };
}

describe("a logout", () => {
  it("offers to end the session at the provider too, which accepts the way there", async () => {
    const visitor = await logIn("noa");
    await visitor.page("/logout");
    expect(await visitor.read("/")).toContain('href="/auth/oidc/logout"');

    const url = new URL(location(await visitor.page("/auth/oidc/logout")));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "codeshelf",
      post_logout_redirect_uri: `${web.url}/`,
    });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("logout");
  });

  it("of an account that the provider does not open offers nothing", async () => {
    const visitor = await web.person("77");
    await visitor.page("/logout");
    const page = await visitor.read("/");
    expect(page).toContain("Logged out");
    expect(page).not.toContain("/auth/oidc/logout");
  });
});

describe("a login at the provider", () => {
  it("makes an account with an opaque id, and finds it the next time", async () => {
    const first = await whoIs(await logIn("noa", { given_name: "Noa", family_name: "Levi" }));
    expect(first).toMatchObject({ authenticated: true, user: { first_name: "Noa" }, role: "regular" });
    expect(first.user.id).toMatch(/^[0-9a-f]{24}$/);
    expect((await whoIs(await logIn("noa"))).user.id).toBe(first.user.id);
  });

  it("uses a code with PKCE, state and nonce, and continues to the requested page", async () => {
    const visitor = web.visitor();
    const page = await visitor.read("/login?next=/trash");
    expect(page).toContain('href="/auth/oidc?next=%2Ftrash"');
    await be("noa");
    const url = new URL(location(await visitor.page("/auth/oidc?next=/trash")));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid profile email groups",
    });
    const back = await passProvider(url.href);
    expect(location(await visitor.page(toPath(back)))).toBe("/trash");
  });

  it("works with keys that were replaced a moment ago", async () => {
    await logIn("noa");
    await peer.tell({ say: "rotate" });
    await logIn("noa");
  });

  it("is refused with a signature by a key that is not published", async () => {
    await peer.tell({ say: "rotate" });
    const { visitor, back } = await begun();
    await peer.tell({ say: "mode", mode: "old_keys" });
    await expectRefused(visitor, back, "oidc_failed");
    await peer.tell({ say: "mode", mode: "normal" });
  });

  it("allows the provider a clock that is a minute off, and not more", async () => {
    const HOUR_SECONDS = 3600;
    await peer.tell({ say: "clock", secondsBehind: HOUR_SECONDS + 30 });
    await logIn("noa");
    await peer.tell({ say: "clock", secondsBehind: HOUR_SECONDS + 90 });
    const visitor = web.visitor();
    await expectRefused(visitor, await begin(visitor), "oidc_failed");
    await peer.tell({ say: "clock", secondsBehind: 0 });
  });

  it("is refused with a nonce of another login", async () => {
    const visitor = web.visitor();
    const back = await begin(visitor, "noa", "/auth/oidc", (url) => {
      url.searchParams.set("nonce", "another");
      return url;
    });
    await expectRefused(visitor, back, "oidc_failed");
  });

  it("is refused with a code that was used", async () => {
    const { visitor, back } = await begun();
    const copy = web.visitor();
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
    expect(location(await visitor.page(toPath(back)))).toBe("/dashboard");
    await expectRefused(copy, back, "oidc_failed");
  });

  it("is refused in a browser that did not begin it, and the second time", async () => {
    const { visitor, back } = await begun();
    await expectRefused(web.visitor(), back, "unknown_login_state");
    expect(location(await visitor.page(toPath(back)))).toBe("/dashboard");
    await visitor.page("/logout");
    await expectRefused(visitor, back, "unknown_login_state");
  });

  it("is refused ten minutes after it began", async () => {
    const { visitor, back } = await begun();
    web.clock.pass(600_001);
    await expectRefused(visitor, back, "unknown_login_state");
    web.clock.set(NOON);
  });

  it("is refused as coming from another issuer", async () => {
    const { visitor, back } = await begun();
    expect(back.searchParams.get("iss")).toBe(peer.issuer);
    back.searchParams.set("iss", "https://evil.example");
    await expectRefused(visitor, back, "oidc_failed");
  });

  it("that the person declines says so", async () => {
    const visitor = web.visitor();
    const url = new URL(location(await visitor.page("/auth/oidc")));
    const state = required(url.searchParams.get("state"));
    const back = new URL(`${web.url}/auth/oidc/callback?error=access_denied&state=${state}`);
    back.searchParams.set("iss", peer.issuer);
    await expectRefused(visitor, back, "login_cancelled");
  });
});

describe("an e-mail address", () => {
  it("opens nothing: another subject with the same one is another account", async () => {
    const email = "owner@example.com";
    const owner = await whoIs(await logIn("owner", { email, email_verified: true }));
    const other = await whoIs(await logIn("thief", { email, email_verified: true }));
    expect(other.user.id).not.toBe(owner.user.id);
  });

  it("is a label if it is verified, and otherwise unused", async () => {
    const label = async (sub: string, claims: object) => {
      const { user } = await whoIs(await logIn(sub, { ...claims }));
      const doc = toUser(required(await web.db.users.findOne({ _id: user.id })));
      return (await listIdentities(web.db, doc))[0]?.label;
    };
    expect(await label("v", { email: "v@example.com", email_verified: true })).toBe("v@example.com");
    expect(await label("u", { email: "u@example.com", email_verified: false })).toBe("u");
  });
});

describe("groups of the provider", () => {
  it("set a role at each login, and remove it again", async () => {
    const roleWith = async (groups: string[]) => (await whoIs(await logIn("gal", { groups }))).role;
    expect(await roleWith([])).toBe("regular");
    expect(await roleWith(["/shelf-premium"])).toBe("premium");
    expect(await roleWith(["shelf-admins", "shelf-premium"])).toBe("admin");
    expect(await roleWith(["others"])).toBe("regular");
  });

  it("leave a role that an administrator gave", async () => {
    const { user } = await whoIs(await logIn("omer"));
    await web.db.users.updateOne({ _id: user.id }, { $set: { role: "premium" } });
    expect((await whoIs(await logIn("omer"))).role).toBe("premium");
  });
});

it.each([
  ["invited", "invitation_needed"],
  ["closed", "sign_up_closed"],
] as const)(
  "with SIGN_UP=%s a login at the provider makes no account, unless a group allows it",
  async (SIGN_UP, reason) => {
    const other = await openTestWeb({ ...peer.variables, SIGN_UP, OIDC_PREMIUM_GROUP: "shelf-premium" });
    await peer.tell({ say: "client", redirectUri: `${other.url}/auth/oidc/callback` });
    const stranger = other.visitor();
    await be(`stranger ${SIGN_UP}`, { groups: ["others"] });
    await expectRefused(stranger, await begin(stranger), reason);
    expect(await other.db.users.countDocuments({})).toBe(0);

    const member = other.visitor();
    await be(`member ${SIGN_UP}`, { groups: ["shelf-premium"] });
    expect(location(await member.page(toPath(await begin(member))))).toBe("/dashboard");
    await peer.tell({ say: "client", redirectUri: `${web.url}/auth/oidc/callback` });
  },
);

describe("adding the provider to an account", () => {
  const SETTINGS = "/settings/sign-in";
  const linkOn = async (visitor: Visitor) =>
    required(/href="(\/auth\/oidc\?join=[^"]+)"/.exec(await visitor.read(SETTINGS))?.[1]);
  const join = async (visitor: Visitor, sub: string) => {
    return visitor.page(toPath(await begin(visitor, sub, await linkOn(visitor))));
  };

  it("lets both open it, and either be removed but not both", async () => {
    const dana = await web.person("500");
    expect(location(await join(dana, "dana-500"))).toBe(SETTINGS);
    expect((await whoIs(await logIn("dana-500"))).user.id).toBe("500");
    expect((await whoIs(await web.person("500"))).user.id).toBe("500");

    const key = oidcKey(peer.issuer, "dana-500");
    expect((await dana.submit(SETTINGS, { intent: "part", key: "messenger:500" })).status).toBe(303);
    expect((await dana.submit(SETTINGS, { intent: "part", key })).status).toBe(409);
    expect((await whoIs(await web.person("500"))).user.id).not.toBe("500");
  });

  it("is refused where it opens another account", async () => {
    await logIn("taken");
    const dana = await web.person("501");
    expect(location(await join(dana, "taken"))).toBe(SETTINGS);
    expect(await dana.read(SETTINGS)).toContain("belongs to another account");
    expect((await whoIs(await logIn("taken"))).user.id).not.toBe("501");
  });

  it("cannot be begun by a link of somebody else", async () => {
    const theirs = await linkOn(await web.person("502"));
    const dana = await web.person("503");
    expect((await dana.page(theirs)).status).toBe(401);
    expect((await dana.page("/auth/oidc?join=guess")).status).toBe(401);
    expect((await web.visitor().page(theirs)).status).toBe(401);
  });

  it("is refused once somebody else is logged in in that browser", async () => {
    const browser = await web.person("504");
    const back = await begin(browser, "left-behind", await linkOn(browser));
    await browser.logIn("505");
    await browser.page(toPath(back));
    expect(await web.db.users.countDocuments({ identity_keys: oidcKey(peer.issuer, "left-behind") })).toBe(0);
  });
});

describe("a provider that fails", () => {
  it("is told as such, and the login page still works", async () => {
    const visitor = web.visitor();
    for (const mode of ["silent", "broken"] as const) {
      const back = await begin(visitor, "noa");
      await peer.tell({ say: "mode", mode });
      await expectRefused(visitor, back, "oidc_unavailable");
      await peer.tell({ say: "mode", mode: "normal" });
    }
  });

  it("is refused where its configuration names another issuer", async () => {
    const other = await openTestWeb({ ...peer.variables, OIDC_ISSUER: `${peer.issuer}/other` });
    const visitor = other.visitor();
    expect(location(await visitor.page("/auth/oidc"))).toBe("/login");
    expect(await visitor.read("/login")).toContain("not confirmed");
  });

  it("that is down is reported before the login, and others still log in", async () => {
    const other = await openTestWeb({ ...peer.variables });
    peer.stop();
    const visitor = other.visitor();
    expect(location(await visitor.page("/auth/oidc"))).toBe("/login");
    expect(await visitor.read("/login")).toContain("does not respond");
    expect(await isIn(await visitor.logIn("1"))).toBe(true);
  });
});
