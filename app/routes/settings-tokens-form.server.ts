import { z } from "zod";
import { TOKEN_LIFETIMES_DAYS, TOKEN_SCOPES } from "#domain/access-token.ts";

const lifetimes = TOKEN_LIFETIMES_DAYS.map((days) => String(days));

/** Makes a token, or revokes the one it names. */
export const tokenForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("create"),
    name: z.string(),
    scope: z.enum(TOKEN_SCOPES),
    lifetime: z
      .string()
      .refine((days) => lifetimes.includes(days))
      .transform((days) => (days === "null" ? null : Number(days))),
  }),
  z.object({ intent: z.literal("revoke"), id: z.string() }),
]);
