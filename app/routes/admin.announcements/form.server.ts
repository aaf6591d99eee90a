import { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import {
  activateAnnouncement,
  createAnnouncement,
  deactivateAnnouncement,
  removeAnnouncement,
  updateAnnouncement,
} from "#db/alerts/announcements.server.ts";
import { checkAnnouncement } from "#domain/accounts/announcement.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

const text = z.string().default("");
const announcement_id = z.string().refine(isOpaqueId);

export const announcementForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("create"), text, link: text }),
  z.object({ intent: z.literal("edit"), announcement_id, text, link: text }),
  z.object({ intent: z.enum(["activate", "deactivate", "delete"]), announcement_id }),
]);

type AnnouncementForm = z.output<typeof announcementForm>;

export async function applyAnnouncementForm(
  { db, clock }: WebServices,
  form: AnnouncementForm,
): Promise<object | Refusal> {
  const now = clock();
  if (form.intent === "create" || form.intent === "edit") {
    const draft = checkAnnouncement(form.text, form.link);
    if (isRefusal(draft)) return draft;
    return form.intent === "create"
      ? createAnnouncement(db, draft, now)
      : updateAnnouncement(db, form.announcement_id, draft, now);
  }
  const { announcement_id: id } = form;
  if (form.intent === "activate") return activateAnnouncement(db, id);
  await (form.intent === "delete" ? removeAnnouncement : deactivateAnnouncement)(db, id);
  return { id };
}
