import { createHash } from "node:crypto";
import { z } from "zod";
import type { ShareWish } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  checkSharePassword,
  SHARE_CONTENTS,
  SHARE_LIFETIMES_DAYS,
  SHARE_VIEWS_MAX,
} from "#domain/shares/share.ts";

const lifetimes = SHARE_LIFETIMES_DAYS.map((days) => String(days));

/** What is typed before a file is made public. */
export const shareForm = z.object({
  content: z.enum(SHARE_CONTENTS),
  lines: z.string().max(40).default(""),
  lifetime: z.string().refine((days) => lifetimes.includes(days)),
  max_views: z.string().max(20).default(""),
  password: z.string().max(1000).default(""),
  /** Each page has a new key, so the same form sent twice makes one share. */
  form_key: z.string().max(100).default(""),
});

type ShareForm = z.output<typeof shareForm>;

/** What goes back to the form; a password is typed again. */
export const keepTyped = ({ password: _, form_key: __, ...typed }: ShareForm) => typed;

export function toShareWish(form: ShareForm, version: number): ShareWish | Refusal {
  const password = form.password === "" ? null : checkSharePassword(form.password);
  if (isRefusal(password)) return password;
  const views = form.max_views.trim();
  const maxViews = views === "" ? null : Number(views);
  if (maxViews !== null && !(/^\d+$/.test(views) && maxViews >= 1 && maxViews <= SHARE_VIEWS_MAX))
    return Refusal("invalid_share_views", { max: SHARE_VIEWS_MAX });
  const days = form.lifetime === "null" ? null : Number(form.lifetime);
  const isRange = form.content === "lines";
  if (isRange && form.lines.trim() === "") return Refusal("invalid_share_lines");
  const mode = form.content === "preview" ? "preview" : "full";
  return { mode, days, version, lines: isRange ? form.lines : null, maxViews, password };
}

/** Tells a form and what is chosen in it from every other, and nothing of the password to whoever has not seen the form. */
export function onceKey(form: ShareForm, fileId: string, version: number): string | undefined {
  if (form.form_key === "") return undefined;
  return createHash("sha256")
    .update(JSON.stringify([form, fileId, version]))
    .digest("base64url");
}

/** Ends the share it names. */
export const revokeForm = z.object({ revoke: z.string().max(100) });
