import type { ObjectId } from "mongodb";
import type { Alert } from "#domain/alerts/alert.ts";

/** Explanations by what they explain, so that the same question is not asked again within a day. */
export type AlertExplanationDoc = {
  _id: string;
  root_cause: string;
  actions: string[];
  signals: string[];
  provider: string;
  generated_at: Date;
};

export type AlertDoc = Omit<Alert, "alert_uid"> & { _id: string };

/** Which alert a subject has now, and since when: one record per rule and subject, over all processes. */
export type AlertCooldownDoc = { _id: string; raised_at: Date; alert_uid: string };

/**
 * Announcements, and one document that says which of them is active. No announcement carries a mark of its own, so however
 * many activations race, and wherever one is cut off, at most one is active.
 */
export type AnnouncementDoc = {
  _id: ObjectId;
  text: string;
  link: string | null;
  created_at: Date;
  updated_at: Date;
};

export type ActiveAnnouncementDoc = { _id: "site"; announcement_id: ObjectId | null };

/** Who used which quick fix on which alert, and when. */
export type QuickFixUseDoc = {
  _id: ObjectId;
  alert_uid: string;
  action_id: string;
  user_id: string;
  used_at: Date;
};
