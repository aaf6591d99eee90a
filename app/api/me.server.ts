import { endpoint } from "#app/http/api.server.ts";
import { findCaller } from "#app/http/gates.server.ts";

export const meEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/me",
    gate: "public",
    answer: async ({ request, visit }) => {
      const visitor = await findCaller({ request, context: visit });
      const locale = await visit.locale();
      if (!visitor)
        return {
          ok: true,
          authenticated: false,
          user: null,
          role: null,
          has_seen_welcome_modal: false,
          locale,
          timezone: null,
        };
      const { id, first_name, last_name, username, photo_url, has_seen_welcome_modal, timezone } =
        visitor.user;
      return {
        ok: true,
        authenticated: true,
        user: { id, first_name, last_name, username, photo_url },
        role: visitor.role,
        has_seen_welcome_modal,
        locale,
        timezone,
      };
    },
  }),
];
