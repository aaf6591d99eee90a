import { isolate } from "#app/i18n/isolate.ts";
import type { CredentialKind } from "#domain/accounts/credential.ts";

const HINTS: Partial<Record<CredentialKind, string>> = {
  session: "Sessions end after 30 days without use.",
  share_password: "Visitors who entered the password can open the link for 12 hours.",
};

export const credentials = {
  title: "Sessions and access",
  lead: "Everything that can access your account. Remove what you don’t recognise.",
  groups: {
    session: "Sessions",
    token: "Access tokens",
    feed: "Calendar feeds",
    device: "Devices",
    share_password: "Link passwords",
  } satisfies Record<CredentialKind, string>,
  hints: HINTS,
  manage: "Manage",
  manageLabel: (group: string) => `Manage: ${group}`,
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
  endLabel: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  ended: {
    session: "Session logged out",
    token: "Token revoked",
    feed: "Address removed",
    device: "Device removed",
    share_password: "Visitors must enter the password again",
  } satisfies Record<CredentialKind, string>,
  all: "Log out everywhere",
  allLead: "Ends all sessions, tokens, feeds, devices and link passwords, including this session.",
  allSure: "End all access",
};
