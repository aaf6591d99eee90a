export const ROLES = ["regular", "premium", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The messenger ids whose role comes from the environment and not from the store. */
type AppointedIds = { adminUserIds: readonly string[]; premiumUserIds: readonly string[] };

export function effectiveRole(userId: string, storedRole: Role, appointed: AppointedIds): Role {
  return appointedRole(userId, appointed) ?? storedRole;
}

/** The role that the environment gives, or null. */
export function appointedRole(userId: string, appointed: AppointedIds): Role | null {
  if (appointed.adminUserIds.includes(userId)) return "admin";
  return appointed.premiumUserIds.includes(userId) ? "premium" : null;
}

export function mayRunCode(role: Role): boolean {
  return role === "premium" || role === "admin";
}
