import type { Role } from "#domain/accounts/role.ts";
import { hasControlCharacters } from "#domain/text/text.ts";

/**
 * What a provider says about a person. Who they are is the issuer and the subject alone: an e-mail address never finds an account,
 * so whoever gets hold of an address gets nothing. It is shown as a label where the provider has verified it.
 */
export type OidcClaims = { iss: string; sub: string } & Record<string, unknown>;

type Names = { first_name: string; last_name: string | null; username: string | null; photo_url: null };

const NAME_MAX = 100;

export function readNames(claims: OidcClaims): Names {
  const username = readText(claims.preferred_username);
  const given = readText(claims.given_name);
  return {
    first_name: given ?? readText(claims.name) ?? username ?? "?",
    last_name: given ? readText(claims.family_name) : null,
    username,
    photo_url: null,
  };
}

export function readLabel(claims: OidcClaims): string {
  const email = claims.email_verified === true ? readText(claims.email) : null;
  return email ?? readText(claims.preferred_username) ?? readText(claims.name) ?? "";
}

type RoleGroups = { adminGroup: string | null; premiumGroup: string | null };

/** The role that the groups of a person give, null for none. Some providers write a group as a path. */
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
