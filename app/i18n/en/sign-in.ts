import { isolate } from "#app/i18n/isolate.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";

export const signIn = {
  title: "Login and security",
  lead: "How you log in, and everything that can access your account.",
  methods: "Login methods",
  kinds: { messenger: "Messenger", oidc: "Provider", passkey: "Passkey" } satisfies Record<
    IdentityKind,
    string
  >,
  local: "This computer",
  onlyOne: "Add another method before you remove this one.",
  remove: "Remove",
  removeLabel: (name: string) => `Remove: ${isolate(name)}`,
  add: (provider: string) => `Add ${isolate(provider)}`,
  added: "Added",
  done: { joined: "Login method added", parted: "Login method removed" },
  passkeys: {
    name: "Passkey name",
    nameExample: "Work laptop",
    add: "Add passkey",
    logIn: "Log in with a passkey",
    choose: "Your passkeys",
    chooseHint: "Select the field to see the passkeys on this device.",
    needsScript: "Passkeys need JavaScript. Use another login method.",
    unsupported: "This browser can’t use passkeys. Use another login method.",
    failed: "No passkey was used. Try again, or use another login method.",
    none: {
      not_configured: "Passkeys are not available: the server’s public address (PUBLIC_ORIGIN) is not set.",
      address: "Passkeys are not available at this address: they need https and a host name, or localhost.",
    },
    known: "This device already has a passkey for your account.",
  },
  noAccount: "You have no account here yet.",
  ask: "Ask to join",
  askHint: "Administrators will see your name and login method.",
  asked: "Request sent. Log in again once an administrator has approved it.",
  security: {
    title: "Recent security events",
    events: {
      logged_in: "Logged in",
      login_refused: "Login refused",
      method_added: "Login method added",
      method_removed: "Login method removed",
      token_created: "Token created",
      others_ended: "Logged out other sessions",
      all_ended: "Logged out everywhere",
      ended_by_admin: "An administrator ended all access",
    },
  },
  invited: "You are invited. Log in to create your account.",
  with: (provider: string) => `Log in with ${isolate(provider)}`,
};
