import { isolate } from "#app/i18n/isolate.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";

/** The words about the ways to log in. */
export const signIn = {
  title: "Login and security",
  lead: "How you log in, and everything that can access your account.",
  methods: "Login methods",
  kinds: { messenger: "Messenger", oidc: "Provider" } satisfies Record<IdentityKind, string>,
  local: "This computer",
  onlyOne: "Add another method before you remove this one.",
  remove: "Remove",
  removeOf: (name: string) => `Remove: ${isolate(name)}`,
  add: (provider: string) => `Add ${isolate(provider)}`,
  added: "Added",
  done: { joined: "Login method added", parted: "Login method removed" },
  invited: "You are invited. Log in to create your account.",
  with: (provider: string) => `Log in with ${isolate(provider)}`,
};
