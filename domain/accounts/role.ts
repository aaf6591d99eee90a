export const ROLES = ["regular", "premium", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The messenger ids that the environment raises above whatever role is stored. */
type AppointedIds = { adminUserIds: readonly string[]; premiumUserIds: readonly string[] };

export function effectiveRole(userId: string, storedRole: Role, appointed: AppointedIds): Role {
  return appointedRole(userId, appointed) ?? storedRole;
}

/** The role the environment gives; null where it is silent. */
export function appointedRole(userId: string, appointed: AppointedIds): Role | null {
  if (appointed.adminUserIds.includes(userId)) return "admin";
  return appointed.premiumUserIds.includes(userId) ? "premium" : null;
}

export function mayRunCode(role: Role): boolean {
  return role === "premium" || role === "admin";
}
