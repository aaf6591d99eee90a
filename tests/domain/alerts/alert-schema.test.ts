import { describe, expect, it } from "vitest";
import { MUTE_MINUTES_MAX } from "#domain/alerts/alert.ts";
import { alertToExplain, muteRequest, quickFixUse } from "#domain/alerts/alert-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

describe("the use of a quick fix", () => {
  it("names the fix and the alert, without blanks around them", () => {
    expect(checkBySchema(quickFixUse, { action_id: " mute ", alert_uid: "a" })).toEqual({
      action_id: "mute",
      alert_uid: "a",
    });
  });

  it.each([
    {},
    { action_id: "mute" },
    { action_id: " ", alert_uid: "a" },
    { action_id: null, alert_uid: "a" },
  ])("is refused as %j", (given) => {
    expect(checkBySchema(quickFixUse, given)).toMatchObject({
      refused: "missing_fields",
      context: { fields: ["action_id", "alert_uid"] },
    });
  });

  it("takes 120 characters for each, and no more", () => {
    expect(quickFixUse.safeParse({ action_id: "a".repeat(120), alert_uid: "a" }).success).toBe(true);
    expect(quickFixUse.safeParse({ action_id: "a".repeat(121), alert_uid: "a" }).success).toBe(false);
  });
});

describe("the muting of an alert", () => {
  it.each([undefined, {}, { minutes: null }, { minutes: 1 }, { minutes: MUTE_MINUTES_MAX }])(
    "may be asked for as %j",
    (given) => {
      expect(muteRequest.safeParse(given).success).toBe(true);
    },
  );

  it.each([{ minutes: 0 }, { minutes: 1.5 }, { minutes: MUTE_MINUTES_MAX + 1 }, { minutes: "5" }])(
    "may not be asked for as %j",
    (given) => {
      expect(muteRequest.safeParse(given).success).toBe(false);
    },
  );
});

describe("an alert to be explained", () => {
  it.each([{ alert_uid: "a" }, { alert: { name: "n" } }, { alert: { summary: "s" } }])(
    "may be %j",
    (given) => {
      expect(alertToExplain.safeParse(given).success).toBe(true);
    },
  );

  it.each([{}, { alert_uid: "" }, { alert: {} }, { alert: { severity: "high" } }])(
    "may not be %j",
    (given) => {
      expect(checkBySchema(alertToExplain, given)).toMatchObject({
        refused: "missing_fields",
        context: { fields: ["alert", "alert_uid"] },
      });
    },
  );
});
