import { Strategy } from "remix-auth/strategy";
import type { OidcChecks, OidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import type { User } from "#db/accounts/users.server.ts";
import type { OidcClaims } from "#domain/accounts/oidc-claims.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toFields } from "#domain/typed-keys.ts";

type Options = {
  provider: OidcProvider;
  checks: OidcChecks;
  currentUrl: URL;
  onRefusal: (refusal: Refusal, error: unknown) => void;
};

/** Authenticates the person who returns from the provider, after all checks. */
export class OidcStrategy extends Strategy<User | Refusal, OidcClaims> {
  name = "oidc";
  readonly #options: Options;

  constructor(options: Options, verify: Strategy.VerifyFunction<User | Refusal, OidcClaims>) {
    super(verify);
    this.#options = options;
  }

  async authenticate(): Promise<User | Refusal> {
    const { provider, checks, currentUrl, onRefusal } = this.#options;
    const claims = await provider.finish(currentUrl, checks).catch((error) => {
      const refusal = toOidcRefusal(error);
      onRefusal(refusal, error);
      return refusal;
    });
    return isRefusal(claims) ? claims : this.verify(claims);
  }
}

/** Distinguishes a person who declined, a provider that is away, and an answer that cannot be trusted. */
export function toOidcRefusal(thrown: unknown): Refusal {
  const { code, error, status, cause } = toFields(thrown);
  if (error === "access_denied") return Refusal("login_cancelled");
  const answer = cause instanceof Response ? cause.status : Number(status ?? 0);
  const isUnreachable = thrown instanceof TypeError && cause instanceof Error;
  const isAway = isUnreachable || code === "OAUTH_TIMEOUT" || answer >= 500;
  return Refusal(isAway ? "oidc_unavailable" : "oidc_failed");
}
