import { z } from "zod";
import { LOCAL_PEOPLE, type LocalPerson } from "#app/http/session/local-sign-in.server.ts";

const people = Object.keys(LOCAL_PEOPLE) as [LocalPerson, ...LocalPerson[]];

export const loginForm = z.union([
  z.object({ intent: z.literal("ask") }),
  z.object({ intent: z.literal("forget") }),
  z.object({
    intent: z.undefined().optional(),
    person: z.enum(people),
    code: z.string().max(100).default(""),
  }),
]);
