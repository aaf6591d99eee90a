import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const tokens = {
  title: "Access tokens",
  lead: "Let a script or agent use your library. API access only; no admin rights.",
  docs: "API documentation",
  make: "Create token",
  name: "Name",
  nameHint: "What is it for?",
  scope: "Access",
  scopes: { read: "Read", write: "Read and write" },
  lifetime: "Expires after",
  days: (count: number) => `${amount(count)} days`,
  forGood: "Never",
  secret: "New token",
  once: "Copy the token now. You won’t see it again.",
  commandLine: "To use the command line (needs Node), run this and paste the token when asked:",
  login: "Login command",
  yours: "Your tokens",
  none: "No tokens yet.",
  created: "Created",
  lastUse: "Last used",
  never: "Never",
  expires: "Expires",
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke ${isolate(name)}`,
  revoked: "Token revoked",
};
