import { z } from "zod";
import { TOKEN_LIFETIME_MAX_DAYS, TOKEN_SCOPES } from "#domain/accounts/access-token.ts";

export const tokenForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("create"),
    name: z.string(),
    scope: z.enum(TOKEN_SCOPES),
    lifetime: z
      .string()
      .regex(/^(null|[1-9]\d{0,3})$/)
      .transform((days) => (days === "null" ? null : Number(days)))
      .refine((days) => days === null || days <= TOKEN_LIFETIME_MAX_DAYS),
  }),
  z.object({ intent: z.literal("revoke"), id: z.string() }),
]);
