import type { ObjectId } from "mongodb";
import type { Alert } from "#domain/alerts/alert.ts";

/** Explanations stored by their question, so that the same question is not asked again within a day. */
export type AlertExplanationDoc = {
  _id: string;
  root_cause: string;
  actions: string[];
  signals: string[];
  provider: string;
  generated_at: Date;
};

export type AlertDoc = Omit<Alert, "alert_uid"> & { _id: string };

/** The current alert of a subject and when it was raised: one record per rule and subject, for all processes. */
export type AlertCooldownDoc = { _id: string; raised_at: Date; alert_uid: string };

/**
 * Announcements, and one document with the active one. Announcements have no mark of their own, so at most one is active in
 * spite of races and interruptions.
 */
export type AnnouncementDoc = {
  _id: ObjectId;
  text: string;
  link: string | null;
  created_at: Date;
  updated_at: Date;
};

export type ActiveAnnouncementDoc = { _id: "site"; announcement_id: ObjectId | null };

export type QuickFixUseDoc = {
  _id: ObjectId;
  alert_uid: string;
  action_id: string;
  user_id: string;
  used_at: Date;
};
