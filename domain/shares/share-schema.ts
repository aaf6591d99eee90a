import { z } from "zod";
import { createSelectionSchema } from "#domain/files/selection-schema.ts";
import { refuseWith, withRule } from "#domain/schema.ts";
import {
  checkSharePassword,
  SHARE_DAYS,
  SHARE_DAYS_MAX,
  SHARE_MODES,
  SHARE_VIEWS_MAX,
  type ShareEnd,
} from "#domain/shares/share.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";

/** The requests about shares. */
const password = withRule(z.string().nullish(), (given) => (given ? checkSharePassword(given) : null));

const wrongDays = refuseWith("invalid_payload", {
  message: `Send 1 to ${SHARE_DAYS_MAX} days.`,
  field: "expires_in_days",
});

const expires_at = createMomentSchema(
  "Send a moment with its offset, such as 2030-01-31T18:00:00Z.",
).optional();

type AskedEnd = { expires_at?: Date; expires_in_days?: number | null; permanent?: boolean };

/** A request may set only one of the three ends, because otherwise it is unclear which one counts. */
const isOneEnd = ({ expires_at, expires_in_days, permanent }: AskedEnd) =>
  expires_at === undefined || (!permanent && typeof expires_in_days !== "number");
const twoEnds = {
  path: ["expires_at"],
  message: "Send expires_at, expires_in_days or permanent, not several.",
};

const toShareEnd = ({ expires_at, expires_in_days, permanent }: AskedEnd = {}): ShareEnd => ({
  days: permanent ? null : (expires_in_days ?? SHARE_DAYS),
  until: expires_at,
});

/** What to share of a file, for how long and with which limits. An empty request shares the whole file for the default time. */
export const shareRequest = z
  .strictObject({
    mode: z
      .enum(SHARE_MODES)
      .default("full")
      .meta({ description: "How much the link shows: all of the file, or its beginning." }),
    expires_in_days: z.int(wrongDays).min(1, wrongDays).max(SHARE_DAYS_MAX, wrongDays).optional(),
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
  .refine(isOneEnd, twoEnds)
  .optional()
  .transform((given) => {
    const { mode, version, lines, max_views, password } = given ?? { mode: "full" as const };
    return {
      mode,
      ...toShareEnd(given),
      version,
      lines: lines ?? null,
      maxViews: max_views ?? null,
      password: password ?? null,
    };
  });

const NO_SHARE_ID = refuseWith("missing_share_id");
const onlyText = (given: unknown) => (typeof given === "string" ? given : undefined);

/** A share to save to one's own library. A password that is not a string is ignored. */
export const shareToSave = z.preprocess(
  (given) => (given === undefined ? {} : given),
  z.object(
    {
      share_id: z.string(NO_SHARE_ID).min(1),
      file_name: z.string(refuseWith("invalid_file_name")).optional(),
      password: z.preprocess(onlyText, z.string().optional()),
    },
    refuseWith("invalid_payload"),
  ),
);

/** Several files to share under one link, and for how long. */
export const filesToLink = createSelectionSchema({
  expires_in_days: z.int(wrongDays).min(1, wrongDays).max(SHARE_DAYS_MAX, wrongDays).nullish(),
});

/** A folder to share under one link: with its present files, or with the files that it has when the link is opened. */
export const folderToLink = z
  .strictObject({
    follow: z.boolean().default(false),
    with_secrets: z
      .boolean()
      .default(false)
      .describe(
        "Share files that may hold secrets, too (.env, *.pem, id_rsa, …). They are left out otherwise.",
      ),
    expires_in_days: z.int(wrongDays).min(1, wrongDays).max(SHARE_DAYS_MAX, wrongDays).nullish(),
    expires_at,
    permanent: z.boolean().optional(),
    password,
  })
  .refine(isOneEnd, twoEnds)
  .optional()
  .transform((given) => ({
    password: given?.password ?? null,
    follows: given?.follow ?? false,
    with_secrets: given?.with_secrets ?? false,
    ...toShareEnd(given),
  }));
