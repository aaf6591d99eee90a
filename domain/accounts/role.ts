import { listAppointableIds } from "#domain/accounts/identity.ts";

export const ROLES = ["regular", "premium", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Users whose role is set in the environment, listed by account id or messenger id. */
type AppointedIds = { adminUserIds: readonly string[]; premiumUserIds: readonly string[] };

type Person = { id: string; identity_keys?: readonly string[] };

export function effectiveRole(person: Person & { role: Role }, appointed: AppointedIds): Role {
  return appointedRole(person, appointed) ?? person.role;
}

export function appointedRole(person: Person, appointed: AppointedIds): Role | null {
  const ids = listAppointableIds(person);
  const isIn = (list: readonly string[]) => ids.some((id) => list.includes(id));
  if (isIn(appointed.adminUserIds)) return "admin";
  return isIn(appointed.premiumUserIds) ? "premium" : null;
}

export function canRunCode(role: Role): boolean {
  return role === "premium" || role === "admin";
}
