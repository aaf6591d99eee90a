import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { run } from "#tests/support/programs/running.ts";
import { ADMIN_ID, openTestWeb, refusal, type Visitor } from "#tests/support/web.ts";

const PREMIUM_ID = "800";
const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID });
const admin = await web.person(ADMIN_ID);
const dana = await web.visitor().logIn("7", { first_name: "דנה", username: "dana7" });
await web.person(PREMIUM_ID);

const readRole = async (visitor: Visitor) => (await visitor.send("GET", "/api/me")).body.role;
const list = async (query = "") => admin.read(`/admin/users${query}`);
const change = (fields: Record<string, string>) => admin.submit("/admin/users", fields);

describe("/admin/users", () => {
  it("sets a role, which applies at once", async () => {
    expect(await readRole(dana)).toBe("regular");
    const answer = await change({ intent: "role", user_id: "7", role: "premium" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/users"]);
    expect(await readRole(dana)).toBe("premium");
    expect(await web.events("user_role_set")).toMatchObject([
      { role: "premium", resource: { id: toEventPerson("7") } },
    ]);
  });

  it("says what each role may do, and offers no replacement for a role from the environment", async () => {
    const roles = await list();
    expect(roles).toContain(
      "<dt>Regular account</dt><dd>Saves, finds and shares files. Cannot run code.</dd>",
    );
    expect(roles).toContain("<dt>Premium account</dt><dd>Can also run code.</dd>");
    const page = await list(`?q=${PREMIUM_ID}`);
    expect(page).toContain("Set in the server configuration");
    expect(page).not.toContain('name="role"');
    expect(await list("?q=7")).toContain('name="role"');
    expect(await list("?q=7")).toContain("@<!-- -->dana7");
  });

  it("finds people by words of their names, in any order and case, and treats no word as a pattern", async () => {
    await web.visitor().logIn("31", { first_name: "Mira", last_name: "Levi", username: "ml" });
    await web.visitor().logIn("32", { first_name: "Miranda", last_name: "Cohen" });
    const search = async (q: string) =>
      [...(await list(`?${new URLSearchParams({ q })}`)).matchAll(/name="user_id" value="(\d+)"/g)]
        .map(([, id]) => id)
        .filter((id, i, all) => all.indexOf(id) === i)
        .toSorted();
    expect(await search("mira")).toEqual(["31", "32"]);
    expect(await search("levi MIRA")).toEqual(["31"]);
    expect(await search("@ml")).toEqual(["31"]);
    expect(await search("דנה")).toEqual(["7"]);
    expect(await search("32")).toEqual(["32"]);
    expect(await search("m.ra")).toEqual([]);
    expect(await search("(".repeat(500))).toEqual([]);
  });

  it("ends a person's access at once", async () => {
    const noa = await web.person("9");
    await change({ intent: "revoke", user_id: "9" });
    expect((await noa.ask("/api/stats")).status).toBe(401);
    expect(await web.events("credentials_revoked")).toMatchObject([{ resource: { id: toEventPerson("9") } }]);
  });

  const send = (fields: Record<string, string>) =>
    admin.send("POST", "/admin/users", new URLSearchParams(fields));

  it("leaves one's own account to another administrator", async () => {
    for (const fields of [
      { intent: "role", role: "regular" },
      { intent: "revoke", role: "" },
    ]) {
      const refused = refusal(409, "own_account");
      expect(await send({ ...fields, user_id: ADMIN_ID })).toMatchObject(refused);
    }
    await change({ intent: "revoke", user_id: ADMIN_ID });
    expect(await list()).toContain("You can’t change your own account.");
  });

  it("refuses an invalid role and an unknown person", async () => {
    expect((await change({ intent: "role", user_id: "7", role: "king" })).status).toBe(400);
    expect(await send({ intent: "role", user_id: "404", role: "admin" })).toMatchObject(
      refusal(404, "user_not_found", { user_id: "404" }),
    );
  });

  it("lists everyone once on pages, the newest first", async () => {
    const template = required(await web.db.users.findOne({ _id: "7" }));
    const crowd = Array.from({ length: 120 }, (_, i) => ({
      ...template,
      _id: String(5_000 + i),
      created_at: new Date(web.clock().getTime() - 1_000 * Math.floor(i / 7)),
    }));
    await web.db.users.insertMany(crowd);
    const ids: string[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const page = await list(next);
      ids.push(
        ...[...page.matchAll(/class="[^"]*person-row[\s\S]*?<bdi dir="ltr">(\d+)</g)].map(([, id]) =>
          required(id),
        ),
      );
      next = /href="\/admin\/users(\?after=\d+)"/.exec(page)?.[1];
    }
    expect(ids.length).toBe(await web.db.users.countDocuments({}));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await list("?q=%D7%93%D7%A0%D7%94")).toMatch(
      /href="\/admin\/users\?q=%D7%93%D7%A0%D7%94&amp;after=\d+"/,
    );
    expect(await list("?after=nobody")).toContain("That page link is broken");
    expect(await list("?q=nobody")).toContain("No user found");
  });
});

describe("npm run role", () => {
  const command = (...words: string[]) => {
    const env = { ...process.env, MONGODB_URI: web.uri };
    return run(process.execPath, [join(PROJECT_ROOT, "db", "local", "role.ts"), ...words], { env });
  };

  it("makes the first administrator of someone who has signed in", async () => {
    const first = command("7", "admin");
    expect(await first.exit).toMatchObject({ code: 0 });
    expect(first.lines.join()).toContain("is admin now");
    expect(await readRole(dana)).toBe("admin");
  });

  it("says what it cannot do", async () => {
    const unknown = command("404", "admin");
    expect(await unknown.exit).toMatchObject({ code: 1 });
    expect(unknown.lines.join()).toContain("has signed in yet");
    const wrong = command("7", "king");
    expect(await wrong.exit).toMatchObject({ code: 1 });
    expect(wrong.lines.join()).toContain("regular, premium, admin");
  });
});
