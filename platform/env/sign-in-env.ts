import { z } from "zod";
import { isLoopbackName } from "#platform/outbound/loopback.ts";

const isSafeAddress = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.hostname));
};
const safeAddress = z.string().refine(isSafeAddress, "must look like https://…");
const isOrigin = (text: string) => isSafeAddress(text) && new URL(text).origin === text;

/** Admits everybody with a login method, only invited people, or nobody new. */
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
/** The owner of a messenger's bot knows its users; a provider also lets in many people who should have no account. */
const chooseSignUp = (variables: SignInVariables, hasMessenger: boolean): SignUp =>
  variables.SIGN_UP ?? (hasMessenger ? "open" : "invited");

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The provider's name on the button. */
  name: string;
  adminGroup: string | null;
  premiumGroup: string | null;
};

export function toSignInEnv(variables: SignInVariables, { hasMessenger }: { hasMessenger: boolean }) {
  return {
    oidc: toOidcSettings(variables),
    publicOrigin: variables.PUBLIC_ORIGIN ?? null,
    signUp: chooseSignUp(variables, hasMessenger),
  };
}

function toOidcSettings(variables: SignInVariables): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: variables.OIDC_NAME ?? new URL(issuer).hostname,
    adminGroup: variables.OIDC_ADMIN_GROUP ?? null,
    premiumGroup: variables.OIDC_PREMIUM_GROUP ?? null,
  };
}

const PROVIDER = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
const OF_PROVIDER = ["OIDC_NAME", "OIDC_ADMIN_GROUP", "OIDC_PREMIUM_GROUP"] as const;

/** A provider is only used if all three are set. Returns messages about what is missing. */
export function findHalfOidc(variables: Record<string, string | undefined>): string[] {
  const isSet = (name: string) => variables[name] !== undefined;
  if (![...PROVIDER, ...OF_PROVIDER].some(isSet)) return [];
  return PROVIDER.filter((name) => !isSet(name)).map(
    (name) => `${name} is missing beside the others of OIDC_*`,
  );
}

/** Production requires a provider that vouches for people. */
export function findMissingSignIn({
  MESSENGER_BOT_TOKEN: botToken,
  OIDC_ISSUER: issuer,
}: Record<string, string | undefined>): string[] {
  return botToken === undefined && issuer === undefined
    ? ["MESSENGER_BOT_TOKEN or OIDC_ISSUER is missing"]
    : [];
}
