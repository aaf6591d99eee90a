import { endpoint } from "#app/http/api.server.ts";
import { refererPath } from "#app/http/referer.ts";
import { done } from "#app/http/replies.server.ts";
import { findActiveAnnouncement } from "#db/announcements.server.ts";
import { dismissAnnouncement, setWelcomeSeen } from "#db/users.server.ts";
import { isAnnouncementId } from "#domain/announcement.ts";
import { Refusal } from "#domain/refusal.ts";

/** What greets a person, and how they wave it away. A form goes back to the page it stood on. */
export const welcomeEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/welcome/ack",
    gate: "user",
    answer: async ({ request, shelf: { db }, visitor: { user } }) => {
      await setWelcomeSeen(db, user.id);
      return done(request, { ok: true }, refererPath(request, "/dashboard"));
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/v1/announcements/active",
    gate: "user",
    answer: async ({ shelf: { db } }) => Response.json(await findActiveAnnouncement(db)),
  }),
  endpoint({
    method: "POST",
    path: "/api/v1/announcements/:announcement_id/dismiss",
    gate: "user",
    answer: async ({ request, shelf: { db }, visitor: { user }, params: { announcement_id } }) => {
      if (!isAnnouncementId(announcement_id)) return Refusal("announcement_not_found", { announcement_id });
      await dismissAnnouncement(db, user.id, announcement_id);
      return done(request, { ok: true }, refererPath(request, "/dashboard"));
    },
  }),
];
