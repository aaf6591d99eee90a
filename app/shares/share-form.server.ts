import { createHash } from "node:crypto";
import { z } from "zod";
import type { ShareWish } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { chooseZone, parseLocalTime } from "#domain/reminders/reminder-time.ts";
import { checkBySchema } from "#domain/schema.ts";
import {
  SHARE_CONTENTS,
  SHARE_DAYS,
  SHARE_DAYS_MAX,
  SHARE_LIFETIMES_DAYS,
  SHARE_ON_DATE,
  SHARE_VIEWS_MAX,
  type ShareEnd,
} from "#domain/shares/share.ts";
import { shareRequest } from "#domain/shares/share-schema.ts";

const lifetimes = [...SHARE_LIFETIMES_DAYS.map((days) => String(days)), SHARE_ON_DATE];

export const shareForm = z.object({
  content: z.enum(SHARE_CONTENTS),
  lines: z.string().default(""),
  lifetime: z.string().refine((days) => lifetimes.includes(days)),
  expires_on: z.string().default(""),
  max_views: z.string().default(""),
  password: z.string().default(""),
  /** Each page has a new key, so the same form sent twice makes one share. */
  form_key: z.string().max(100).default(""),
});

type ShareForm = z.output<typeof shareForm>;

/** The values that the form shows again; a password has to be typed again. */
export const keepTyped = ({ password: _, form_key: __, ...typed }: ShareForm) => typed;

const LAST_MINUTE = "T23:59";

/** Parses the end that a form selected: after some days, or at the end of a day in the person's time zone. */
export function readShareEnd(
  { lifetime, expires_on }: { lifetime?: string; expires_on?: string },
  ownZone: string | null,
): ShareEnd | Refusal {
  const days = SHARE_LIFETIMES_DAYS.find((days) => String(days) === lifetime);
  if (lifetime !== SHARE_ON_DATE) return { days: days === undefined ? SHARE_DAYS : days };
  const until = parseLocalTime(`${expires_on}${LAST_MINUTE}`, chooseZone(ownZone));
  return until ? { days: null, until } : Refusal("invalid_share_end", { max_days: SHARE_DAYS_MAX });
}

/** Checks the form like an API request; only the number of views has a refusal of its own here. */
export function toShareWish(form: ShareForm, version: number, ownZone: string | null): ShareWish | Refusal {
  const end = readShareEnd(form, ownZone);
  if (isRefusal(end)) return end;
  const isRange = form.content === "lines";
  if (isRange && form.lines.trim() === "") return Refusal("invalid_share_lines");
  const wish = checkBySchema(shareRequest, {
    mode: form.content === "preview" ? "preview" : "full",
    version,
    lines: isRange ? form.lines : null,
    max_views: parseViews(form.max_views.trim()),
    password: form.password,
  });
  if (!isRefusal(wish)) return { ...wish, ...end };
  return wish.context.field === "max_views" ? Refusal("invalid_share_views", { max: SHARE_VIEWS_MAX }) : wish;
}

function parseViews(typed: string): number | null {
  if (typed === "") return null;
  return /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
}

/** Identifies a form and what is selected in it. It reveals nothing about the password to anyone who has not seen the form. */
export function toIdempotencyKey(form: ShareForm, fileId: string, version: number): string | undefined {
  if (form.form_key === "") return undefined;
  return createHash("sha256")
    .update(JSON.stringify([form, fileId, version]))
    .digest("base64url");
}

export const revokeForm = z.object({ revoke: z.string().max(100) });
