import { z } from "zod";
import { LOCAL_PEOPLE } from "#app/web/session/local-sign-in.server.ts";
import { listKeys } from "#domain/typed-keys.ts";

const people = listKeys(LOCAL_PEOPLE);

export const loginForm = z.union([
  z.object({ intent: z.literal("ask") }),
  z.object({ intent: z.literal("forget") }),
  z.object({
    intent: z.undefined().optional(),
    person: z.enum(people),
    code: z.string().max(100).default(""),
  }),
]);
