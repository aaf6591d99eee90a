import { z } from "zod";
import { ROLES } from "#domain/accounts/role.ts";

const user_id = z.string().regex(/^\d{1,20}$/);

export const userForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("role"), user_id, role: z.enum(ROLES) }),
  z.object({ intent: z.enum(["revoke", "lock", "unlock"]), user_id }),
]);

export type UserForm = z.output<typeof userForm>;
