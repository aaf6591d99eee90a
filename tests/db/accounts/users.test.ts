import { describe, expect, it } from "vitest";
import { setUserLocale, signInUser, toUser } from "#db/accounts/users.server.ts";
import { required } from "#domain/required.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
const findUser = async (id: string) => toUser(required(await db.users.findOne({ _id: id })));
const profile = (id: string, first_name = "דנה") => ({
  id,
  first_name,
  last_name: null,
  username: null,
  photo_url: null,
});

describe("signing in", () => {
  it("makes the person once, however many times at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => signInUser(db, profile("5"), NOON)));
    expect(await db.users.countDocuments({ _id: "5" })).toBe(1);
    expect(await findUser("5")).toMatchObject({
      id: "5",
      first_name: "דנה",
      role: "regular",
      created_at: NOON,
    });
  });

  it("refreshes the name and keeps what the person chose", async () => {
    const later = new Date(NOON.getTime() + 1000);
    await signInUser(db, profile("6", "Old"), NOON);
    await setUserLocale(db, "6", "he");
    await signInUser(db, profile("6", "New"), later);
    expect(await findUser("6")).toMatchObject({
      first_name: "New",
      locale: "he",
      created_at: NOON,
      last_login_at: later,
    });
  });
});
