import { z } from "zod";
import { createSelectionSchema } from "#domain/files/selection-schema.ts";
import { toRefusalText, withRule } from "#domain/schema.ts";
import {
  checkSharePassword,
  SHARE_DAYS,
  SHARE_DAYS_MAX,
  SHARE_MODES,
  SHARE_VIEWS_MAX,
  type ShareEnd,
} from "#domain/shares/share.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";

const password = withRule(z.string().nullish(), (text) => (text ? checkSharePassword(text) : null));

const WRONG_DAYS = toRefusalText("invalid_payload", {
  message: `Send 1 to ${SHARE_DAYS_MAX} days.`,
  field: "expires_in_days",
});

const expires_at = createMomentSchema(
  "Send a moment with its offset, such as 2030-01-31T18:00:00Z.",
).optional();

type RequestedEnd = { expires_at?: Date; expires_in_days?: number | null; permanent?: boolean };

/** Allows only one of the three ends, because otherwise it is unclear which one counts. */
const hasOneEnd = ({ expires_at, expires_in_days, permanent }: RequestedEnd) =>
  expires_at === undefined || (!permanent && typeof expires_in_days !== "number");
const TWO_ENDS = {
  path: ["expires_at"],
  message: "Send expires_at, expires_in_days or permanent, not several.",
};

const toShareEnd = ({ expires_at, expires_in_days, permanent }: RequestedEnd = {}): ShareEnd => ({
  days: permanent ? null : (expires_in_days ?? SHARE_DAYS),
  until: expires_at,
});

/** A share of a file. An empty request shares the complete file for the default time. */
export const shareRequest = z
  .strictObject({
    mode: z
      .enum(SHARE_MODES)
      .default("full")
      .meta({ description: "How much the link shows: all of the file, or its beginning." }),
    expires_in_days: z.int(WRONG_DAYS).min(1, WRONG_DAYS).max(SHARE_DAYS_MAX, WRONG_DAYS).optional(),
    expires_at,
    permanent: z.boolean().optional(),
    version: z.number().int().min(1).optional(),
    lines: z.string().max(40).nullish(),
    max_views: z.number().int().min(1).max(SHARE_VIEWS_MAX).nullish(),
    password,
  })
  .refine(({ permanent, expires_in_days }) => !(permanent && expires_in_days !== undefined), {
    path: ["permanent"],
    message: "Send expires_in_days or permanent, not both.",
  })
  .refine(hasOneEnd, TWO_ENDS)
  .optional()
  .transform((request) => {
    const { mode, version, lines, max_views, password } = request ?? { mode: "full" as const };
    return {
      mode,
      ...toShareEnd(request),
      version,
      lines: lines ?? null,
      maxViews: max_views ?? null,
      password: password ?? null,
    };
  });

const NO_SHARE_ID = toRefusalText("missing_share_id");
const ignoreNonString = (value: unknown) => (typeof value === "string" ? value : undefined);

/** A share to save to one's own library. A password that is not a string is ignored. */
export const shareToSave = z.preprocess(
  (body) => (body === undefined ? {} : body),
  z.object(
    {
      share_id: z.string(NO_SHARE_ID).min(1),
      file_name: z.string(toRefusalText("invalid_file_name")).optional(),
      password: z.preprocess(ignoreNonString, z.string().optional()),
    },
    toRefusalText("invalid_payload"),
  ),
);

export const filesToLink = createSelectionSchema({
  expires_in_days: z.int(WRONG_DAYS).min(1, WRONG_DAYS).max(SHARE_DAYS_MAX, WRONG_DAYS).nullish(),
});

/** A link to a folder: with its current files, or with the files that it has when the link is opened. */
export const folderToLink = z
  .strictObject({
    follow: z.boolean().default(false),
    with_secrets: z
      .boolean()
      .default(false)
      .describe(
        "Share files that may hold secrets, too (.env, *.pem, id_rsa, …). They are left out otherwise.",
      ),
    expires_in_days: z.int(WRONG_DAYS).min(1, WRONG_DAYS).max(SHARE_DAYS_MAX, WRONG_DAYS).nullish(),
    expires_at,
    permanent: z.boolean().optional(),
    password,
  })
  .refine(hasOneEnd, TWO_ENDS)
  .optional()
  .transform((request) => ({
    password: request?.password ?? null,
    follows: request?.follow ?? false,
    with_secrets: request?.with_secrets ?? false,
    ...toShareEnd(request),
  }));
