import type { Role } from "#domain/accounts/role.ts";
import { hasControlCharacters } from "#domain/text/text.ts";

/**
 * The claims of a provider about a person. Only issuer and subject identify the person: an e-mail address never finds an
 * account, so taking over an address gives no access. A verified address is shown as a label.
 */
export type OidcClaims = { iss: string; sub: string } & Record<string, unknown>;

type Names = { first_name: string; last_name: string | null; username: string | null; photo_url: null };

const NAME_MAX = 100;

export function readNames(claims: OidcClaims): Names {
  const username = readText(claims.preferred_username);
  const givenName = readText(claims.given_name);
  return {
    first_name: givenName ?? readText(claims.name) ?? username ?? "?",
    last_name: givenName ? readText(claims.family_name) : null,
    username,
    photo_url: null,
  };
}

export function readLabel(claims: OidcClaims): string {
  const email = claims.email_verified === true ? readText(claims.email) : null;
  return email ?? readText(claims.preferred_username) ?? readText(claims.name) ?? "";
}

type RoleGroups = { adminGroup: string | null; premiumGroup: string | null };

/** Returns null if the groups give no role. Some providers write a group as a path. */
export function readGroupRole({ groups }: OidcClaims, { adminGroup, premiumGroup }: RoleGroups): Role | null {
  const isIn = (group: string | null) =>
    group !== null && Array.isArray(groups) && (groups.includes(group) || groups.includes(`/${group}`));
  if (isIn(adminGroup)) return "admin";
  return isIn(premiumGroup) ? "premium" : null;
}

function readText(value: unknown): string | null {
  if (typeof value !== "string" || !value.isWellFormed() || hasControlCharacters(value)) return null;
  return [...value.trim()].slice(0, NAME_MAX).join("") || null;
}
