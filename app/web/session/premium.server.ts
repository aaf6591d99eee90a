import type { SignedIn } from "#app/web/session/session.ts";
import { canRunCode } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";

export function findPremiumRefusal({ role }: SignedIn): Refusal | null {
  return canRunCode(role) ? null : Refusal("premium_required", { success: false });
}
