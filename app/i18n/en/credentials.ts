import { isolate } from "#app/i18n/isolate.ts";
import type { CredentialKind } from "#domain/accounts/credential.ts";

/** The words about what opens an account. */
export const credentials = {
  title: "Sessions and access",
  lead: "Everything that can open your account or act for it. End what you do not recognise.",
  groups: {
    session: "Sessions",
    token: "Access tokens",
    feed: "Calendar feeds",
    device: "Notification devices",
    share_password: "Share passwords",
  } satisfies Record<CredentialKind, string>,
  hints: {
    session: "A session ends after 30 days without use.",
    share_password: "Readers who gave the password can open the share for 12 hours.",
  } as Partial<Record<CredentialKind, string>>,
  manage: "Manage",
  manageOf: (group: string) => `Manage: ${group}`,
  feed: "Reminder feed",
  created: "Created",
  lastUse: "Last used",
  never: "Never",
  expires: "Expires",
  ends: {
    session: "Log out",
    token: "Revoke",
    feed: "Remove",
    device: "Remove",
    share_password: "Ask again",
  } satisfies Record<CredentialKind, string>,
  endOf: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  ended: {
    session: "That session is logged out.",
    token: "The token is revoked.",
    feed: "The feed address no longer works.",
    device: "The device is removed.",
    share_password: "Everyone has to give the password again.",
  } satisfies Record<CredentialKind, string>,
  all: "Log out everywhere",
  allLead:
    "Ends every session, token, feed address, device and share password at once. You are logged out here too.",
  allSure: "End all access",
};
