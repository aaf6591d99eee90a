import type { CredentialKind } from "#domain/accounts/credential.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";

/** A change of access to an account, or an attempt at it, shown to its owner. */
export type SecurityEvent =
  | { what: "logged_in" | "login_refused" | "method_added" | "method_removed"; method: IdentityKind }
  | { what: "credential_ended"; credential: CredentialKind }
  | { what: "token_created" | "others_ended" | "all_ended" | "ended_by_admin" };

export type SecurityEntry = SecurityEvent & { at: Date; device: DeviceKind | null };

/** An account keeps this many events; they expire this long after the newest. */
export const SECURITY_EVENTS_MAX = 20;
export const SECURITY_EVENT_DAYS = 90;
