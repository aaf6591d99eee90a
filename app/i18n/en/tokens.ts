import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const tokens = {
  title: "Access tokens",
  lead: "A token lets a script or an agent work with your library through the API. It opens no page and nothing of the administration.",
  docs: "What the API offers",
  make: "Make a token",
  name: "Name",
  nameHint: "What it is for, so that you recognise it later.",
  scope: "What it may do",
  scopes: { read: "Read", write: "Read and change" },
  lifetime: "Good for",
  days: (count: number) => `${amount(count)} days`,
  forGood: "No end",
  secret: "The new token",
  once: "This is the token. It is shown this once: copy it now and keep it safe.",
  yours: "Your tokens",
  none: "You have no tokens.",
  created: "Made",
  lastUse: "Last used",
  never: "Never",
  expires: "Ends",
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke ${isolate(name)}`,
  revoked: "Token revoked",
};
