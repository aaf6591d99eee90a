import { Refusal } from "#domain/refusal.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";

/** A personal access token lets a script or an agent work on its owner's library, within a scope. */
export const TOKEN_PREFIX = "cs_";
export const TOKEN_SCOPES = ["read", "write"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const TOKENS_MAX = 20;
const TOKEN_NAME_MAX = 60;
/** Days; null means that the token never expires. */
export const TOKEN_LIFETIMES_DAYS = [7, 30, 90, 365, null] as const;
export const TOKEN_LIFETIME_MAX_DAYS = 3_650;

const SHAPE = /^cs_[\w-]{43}$/;
const SAFE_METHODS = new Set(["GET", "HEAD"]);

export function isTokenShaped(text: string): boolean {
  return SHAPE.test(text);
}

export function checkTokenName(name: string): string | Refusal {
  const trimmed = name.trim();
  const fits = trimmed !== "" && codePoints(trimmed) <= TOKEN_NAME_MAX && !hasControlCharacters(trimmed);
  return fits ? trimmed : Refusal("invalid_token_name", { max: TOKEN_NAME_MAX });
}

export function scopeAllows(scope: TokenScope, method: string): boolean {
  return scope === "write" || SAFE_METHODS.has(method);
}
