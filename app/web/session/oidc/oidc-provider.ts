import type { Configuration } from "openid-client";
import type { OidcClaims } from "#domain/accounts/oidc-claims.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { OidcSettings } from "#platform/env/sign-in-env.ts";

/** The values that the browser keeps during a login, and that its return is checked against. */
export type OidcChecks = { state: string; nonce: string; verifier: string };

/**
 * The OpenID Connect provider of this installation, by the code flow with PKCE. Its configuration document is cached for ten minutes. Its
 * signing keys are read for each login, so a replaced key works at once.
 */
export type OidcProvider = {
  name: string;
  begin(redirectUri: string): Promise<{ url: string; checks: OidcChecks }>;
  /** The claims of the person who returns to this address. Throws if any check fails. */
  finish(currentUrl: URL, checks: OidcChecks): Promise<OidcClaims>;
  /** The address that ends the provider's own session and returns here; null if the provider has none. */
  findLogout(returnTo: string): Promise<string | null>;
};

const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 60;
const DISCOVERY_CACHED_MS = 10 * MINUTE_MS;

type Client = typeof import("openid-client");
type Discovered = { client: Client; server: ReturnType<Configuration["serverMetadata"]>; at: number };

export function createOidcProvider(
  settings: OidcSettings | null,
  timeoutSeconds = TIMEOUT_SECONDS,
): OidcProvider | null {
  if (!settings) return null;
  const { issuer, clientId, clientSecret } = settings;
  const isPlain = issuer.startsWith("http:");
  let discovered: Promise<Discovered> | null = null;

  async function discover(): Promise<Discovered> {
    // Loaded only when someone signs in with the provider.
    const client = await import("openid-client");
    const execute = isPlain ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: timeoutSeconds };
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
    return { client, server: config.serverMetadata(), at: performance.now() };
  }

  async function configure() {
    const cached = await discovered?.catch(() => null);
    if (!cached || performance.now() - cached.at > DISCOVERY_CACHED_MS) discovered = discover();
    const { client, server } = await required(discovered, "discovery");
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_post")
      ? client.ClientSecretPost(clientSecret)
      : client.ClientSecretBasic(clientSecret);
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const config = new client.Configuration(server, clientId, metadata, authentication);
    config.timeout = timeoutSeconds;
    if (isPlain) client.allowInsecureRequests(config);
    client.enableNonRepudiationChecks(config);
    return { client, config, server };
  }

  return {
    name: settings.name,
    async begin(redirectUri) {
      const { client, config, server } = await configure();
      const verifier = client.randomPKCECodeVerifier();
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const wantsGroups = settings.adminGroup !== null || settings.premiumGroup !== null;
      const hasGroups = wantsGroups && server.scopes_supported?.includes("groups");
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: `openid profile email${hasGroups ? " groups" : ""}`,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, checks };
    },
    async finish(currentUrl, { state, nonce, verifier }) {
      const { client, config, server } = await configure();
      const tokens = await client.authorizationCodeGrant(config, currentUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error("The provider sent no ID token.");
      const more = server.userinfo_endpoint
        ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
      return { ...more, ...claims };
    },
    async findLogout(returnTo) {
      const { client, config, server } = await configure();
      if (!server.end_session_endpoint) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}
