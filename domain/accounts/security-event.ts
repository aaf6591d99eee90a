import type { CredentialKind } from "#domain/accounts/credential.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";

/** What happened to the access to an account, for its own person to look through. */
export type SecurityEvent =
  | { what: "logged_in" | "login_refused" | "method_added" | "method_removed"; method: IdentityKind }
  | { what: "credential_ended"; credential: CredentialKind }
  | { what: "token_created" | "others_ended" | "all_ended" | "ended_by_admin" };

export type SecurityEntry = SecurityEvent & { at: Date; device: DeviceKind | null };

/** How many are kept, and how long after the last one. */
export const SECURITY_EVENTS_MAX = 20;
export const SECURITY_EVENT_DAYS = 90;
