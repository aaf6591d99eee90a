import type { SignedIn } from "#app/web/session/session.ts";
import { mayRunCode } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";

export function findPremiumRefusal({ role }: SignedIn): Refusal | null {
  return mayRunCode(role) ? null : Refusal("premium_required", { success: false });
}
