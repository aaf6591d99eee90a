import { z } from "zod";
import { MUTE_MINUTES_MAX } from "#domain/alerts/alert.ts";
import { toRefusalText } from "#domain/schema.ts";

const missing = (...fields: string[]) => toRefusalText("missing_fields", { fields });

const noUse = missing("action_id", "alert_uid");
const part = z
  .string({ error: ({ input }) => (input === undefined || input === null ? noUse : undefined) })
  .trim()
  .min(1, noUse)
  .max(120);

export const quickFixUse = z.object({ action_id: part, alert_uid: part });

export const muteRequest = z.object({ minutes: z.int().min(1).max(MUTE_MINUTES_MAX).nullish() }).optional();

/** An alert to explain: a stored one by its id, or one sent with a name or a summary. */
export const alertToExplain = z
  .object({
    alert_uid: z.string().max(120).nullish(),
    alert: z
      .object({
        name: z.string().max(300).nullish(),
        severity: z.string().max(40).nullish(),
        summary: z.string().max(2_000).nullish(),
        metadata: z.record(z.string(), z.unknown()).nullish(),
      })
      .nullish(),
  })
  .refine(({ alert_uid, alert }) => alert_uid || alert?.name || alert?.summary, {
    message: missing("alert", "alert_uid"),
  })
  .meta({ description: "Either alert_uid, or alert with a name or a summary." });
