import { z } from "zod";
import { answerSuccess } from "#app/web/answers/replies.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { done as doneShape, opaqueId } from "#app/web/api/shapes.server.ts";
import { readRefererPath } from "#app/web/door/referer.ts";
import { dismissAnnouncement, setWelcomeSeen } from "#db/accounts/users.server.ts";
import { findActiveAnnouncement } from "#db/alerts/announcements.server.ts";
import { isAnnouncementId } from "#domain/accounts/announcement.ts";
import { Refusal } from "#domain/refusal.ts";

const active = z.object({ id: opaqueId, text: z.string(), link: z.string().nullable() }).nullable();

/** Dismissing the welcome or the announcement by a form returns to the page it was on. */
export const welcomeEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/welcome/ack",
    gate: "user",
    summary: "Dismiss the welcome",
    onFailure: { ok: false },
    returns: { 200: doneShape },
    answer: async ({ request, services: { db }, signedIn: { user } }) => {
      await setWelcomeSeen(db, user.id);
      return answerSuccess(request, { ok: true }, readRefererPath(request, "/dashboard"));
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/v1/announcements/active",
    gate: "user",
    summary: "Get the active announcement, or null",
    returns: { 200: active },
    answer: async ({ services: { db } }) => Response.json(await findActiveAnnouncement(db)),
  }),
  endpoint({
    method: "POST",
    path: "/api/v1/announcements/:announcement_id/dismiss",
    gate: "user",
    summary: "Dismiss an announcement",
    returns: { 200: doneShape },
    answer: async ({ request, services: { db }, signedIn: { user }, params: { announcement_id } }) => {
      if (!isAnnouncementId(announcement_id)) return Refusal("announcement_not_found", { announcement_id });
      await dismissAnnouncement(db, user.id, announcement_id);
      return answerSuccess(request, { ok: true }, readRefererPath(request, "/dashboard"));
    },
  }),
];
