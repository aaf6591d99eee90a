import { z } from "zod";
import { isLoopbackName } from "#platform/outbound/loopback.ts";

/** The variables that say how people sign in. */
const isSafeAddress = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.hostname));
};
const safeAddress = z.string().refine(isSafeAddress, "must look like https://…");
const isOrigin = (text: string) => isSafeAddress(text) && new URL(text).origin === text;

/** Who may have an account: everybody whom a login method proves, whoever was invited, or nobody new. */
const SIGN_UPS = ["open", "invited", "closed"] as const;
type SignUp = (typeof SIGN_UPS)[number];

export const SIGN_IN_VARIABLES = {
  OIDC_ISSUER: safeAddress.optional(),
  OIDC_CLIENT_ID: z.string().max(500).optional(),
  OIDC_CLIENT_SECRET: z.string().max(500).optional(),
  OIDC_NAME: z.string().max(40).optional(),
  OIDC_ADMIN_GROUP: z.string().max(200).optional(),
  OIDC_PREMIUM_GROUP: z.string().max(200).optional(),
  SIGN_UP: z.enum(SIGN_UPS).optional(),
  PUBLIC_ORIGIN: z.string().refine(isOrigin, "must look like https://code.example.com").optional(),
};

type SignInVariables = z.output<z.ZodObject<typeof SIGN_IN_VARIABLES>>;
/** Whoever a messenger's bot lets in is known to its owner; a provider knows many people who are not meant. */
const chooseSignUp = (given: SignInVariables, hasMessenger: boolean): SignUp =>
  given.SIGN_UP ?? (hasMessenger ? "open" : "invited");

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the button calls the provider. */
  name: string;
  adminGroup: string | null;
  premiumGroup: string | null;
};

export function toSignInEnv(given: SignInVariables, { hasMessenger }: { hasMessenger: boolean }) {
  return {
    oidc: toOidcSettings(given),
    publicOrigin: given.PUBLIC_ORIGIN ?? null,
    signUp: chooseSignUp(given, hasMessenger),
  };
}

function toOidcSettings(given: SignInVariables): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: given.OIDC_NAME ?? new URL(issuer).hostname,
    adminGroup: given.OIDC_ADMIN_GROUP ?? null,
    premiumGroup: given.OIDC_PREMIUM_GROUP ?? null,
  };
}

const PROVIDER = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
const OF_PROVIDER = ["OIDC_NAME", "OIDC_ADMIN_GROUP", "OIDC_PREMIUM_GROUP"] as const;

/** A provider is asked only where all three are known. Returns what is wrong, in words. */
export function findHalfOidc(given: Record<string, string | undefined>): string[] {
  const isGiven = (name: string) => given[name] !== undefined;
  if (![...PROVIDER, ...OF_PROVIDER].some(isGiven)) return [];
  return PROVIDER.filter((name) => !isGiven(name)).map(
    (name) => `${name} is missing beside the others of OIDC_*`,
  );
}

/** In production somebody has to vouch for people. */
export function findNoSignIn({
  MESSENGER_BOT_TOKEN: botToken,
  OIDC_ISSUER: issuer,
}: Record<string, string | undefined>): string[] {
  return botToken === undefined && issuer === undefined
    ? ["MESSENGER_BOT_TOKEN or OIDC_ISSUER is missing"]
    : [];
}
