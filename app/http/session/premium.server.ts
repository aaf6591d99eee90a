import type { SignedIn } from "#app/http/request-context.ts";
import { mayRunCode } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";

/** The refusal for whoever may not run code, or null. */
export function premiumOnly({ role }: SignedIn): Refusal | null {
  return mayRunCode(role) ? null : Refusal("premium_required", { success: false });
}
