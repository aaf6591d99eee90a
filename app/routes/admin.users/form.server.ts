import { z } from "zod";
import { isUserId } from "#domain/accounts/identity.ts";
import { ROLES } from "#domain/accounts/role.ts";

const user_id = z.string().refine(isUserId);

export const userForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("role"), user_id, role: z.enum(ROLES) }),
  z.object({ intent: z.enum(["revoke", "lock", "unlock"]), user_id }),
  z.object({ intent: z.literal("invite") }),
  z.object({ intent: z.literal("uninvite"), id: z.string().max(100) }),
  z.object({ intent: z.literal("approve"), id: z.string().max(100) }),
  z.object({ intent: z.literal("decline"), id: z.string().max(100) }),
]);

type Form = z.output<typeof userForm>;
export type UserForm = Extract<Form, { user_id: string }>;
export type JoinAnswerForm = Extract<Form, { intent: "approve" | "decline" }>;
export type InvitationForm = Exclude<Form, UserForm | JoinAnswerForm>;
