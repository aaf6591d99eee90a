export const ROLES = ["regular", "premium", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The messenger ids that the environment raises above whatever role is stored. */
export type AppointedIds = { adminUserIds: readonly string[]; premiumUserIds: readonly string[] };

export function effectiveRole(userId: string, storedRole: Role, appointed: AppointedIds): Role {
  if (appointed.adminUserIds.includes(userId)) return "admin";
  if (appointed.premiumUserIds.includes(userId)) return "premium";
  return storedRole;
}

export function mayRunCode(role: Role): boolean {
  return role === "premium" || role === "admin";
}
