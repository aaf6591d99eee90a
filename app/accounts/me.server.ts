import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { ok } from "#app/web/api/shapes.server.ts";
import { findCaller } from "#app/web/session/gates.server.ts";
import { TOKEN_SCOPES } from "#domain/accounts/access-token.ts";
import { ROLES } from "#domain/accounts/role.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";

const meShape = z.object({
  ok,
  authenticated: z.boolean(),
  user: z
    .object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string().nullish(),
      username: z.string().nullish(),
      photo_url: z.string().nullish(),
    })
    .nullable(),
  role: z.enum(ROLES).nullable(),
  token_scope: z
    .enum(TOKEN_SCOPES)
    .nullable()
    .meta({ description: "What the token allows, whatever the role; null without a token." }),
  has_seen_welcome_modal: z.boolean(),
  locale: z.enum(LOCALE_NAMES),
  timezone: z.string().nullable(),
});

export const meEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/me",
    gate: "public",
    summary: "Get the current user; anonymous is allowed",
    description: "Answers 200 without a valid token or session, too; `authenticated` is false then.",
    returns: { 200: meShape },
    answer: async ({ request, context }) => {
      const signedIn = await findCaller({ request, context });
      const locale = await context.locale();
      if (!signedIn)
        return {
          ok: true,
          authenticated: false,
          user: null,
          role: null,
          token_scope: null,
          has_seen_welcome_modal: false,
          locale,
          timezone: null,
        };
      const { id, first_name, last_name, username, photo_url, has_seen_welcome_modal, timezone } =
        signedIn.user;
      return {
        ok: true,
        authenticated: true,
        user: { id, first_name, last_name, username, photo_url },
        role: signedIn.role,
        token_scope: signedIn.scope,
        has_seen_welcome_modal,
        locale,
        timezone,
      };
    },
  }),
];
