import type { RequestContext } from "#app/web/request-context.ts";
import {
  type NewPasskey,
  readClientChallenge,
  readNewPasskey,
} from "#app/web/session/passkeys/passkey-answer.server.ts";
import {
  claimChallenge,
  createChallenge,
  isChallenge,
} from "#app/web/session/passkeys/passkey-challenge.server.ts";
import { toUserHandle } from "#app/web/session/passkeys/passkey-user.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import type { StoredPasskey } from "#db/accounts/documents.ts";
import { addIdentity } from "#db/accounts/identities.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { identityKind, identitySubject, listIdentityKeys } from "#domain/accounts/identity.ts";
import { checkPasskeyName, type PasskeySite, passkeyKey } from "#domain/accounts/passkey.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** Ed25519, ES256 and RS256, by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257];

/** Asks for a passkey that works without a user name and that verifies the person on the device. */
export async function makeRegistrationOptions(
  context: RequestContext,
  { user, sessionId }: SignedIn,
  { rpId }: PasskeySite,
) {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: "Codeshelf",
    rpID: rpId,
    userName: user.username ?? user.first_name,
    userDisplayName: [user.first_name, user.last_name].filter(Boolean).join(" "),
    userID: new Uint8Array(Buffer.from(toUserHandle(user.id), "base64url")),
    challenge: createChallenge(context, { session: sessionId ?? "" }),
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: listPasskeyIds(user).map((id) => ({ id })),
  });
}

const listPasskeyIds = (user: User) =>
  listIdentityKeys(user)
    .filter((key) => identityKind(key) === "passkey")
    .map(identitySubject);

export async function addPasskey(
  context: RequestContext,
  { user, sessionId }: SignedIn,
  site: PasskeySite,
  sent: { name: string; credential: string },
): Promise<true | Refusal> {
  const { db, clock } = context.services;
  const label = checkPasskeyName(sent.name);
  if (isRefusal(label)) return label;
  const answer = readNewPasskey(sent.credential);
  if (isRefusal(answer)) return answer;
  const session = sessionId ?? "";
  const passkey = await checkNewPasskey(context, session, site, answer);
  if (!passkey || !(await claimChallenge(context, { session }, readClientChallenge(answer))))
    return Refusal("passkey_failed");
  return addIdentity(db, user, { key: passkeyKey(answer.id), label, passkey }, clock());
}

async function checkNewPasskey(
  context: RequestContext,
  session: string,
  site: PasskeySite,
  answer: NewPasskey,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    if (!(await isWithoutCertificate(answer))) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: (received) => isChallenge(context, { session }, received),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo || registrationInfo.credential.id !== answer.id) return null;
    const { publicKey, counter } = registrationInfo.credential;
    const { transports } = answer.response;
    return { public_key: Buffer.from(publicKey).toString("base64url"), counter, transports };
  } catch (error) {
    context.services.log.warn("passkey_registration_failed", { error });
    return null;
  }
}

/**
 * True if the passkey comes without a certificate of its device. Checking one would mean reading revocation lists from addresses that it
 * names itself.
 */
async function isWithoutCertificate({ response }: NewPasskey): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const object = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, "base64url")),
  );
  const format = object.get("fmt");
  return format === "none" || (format === "packed" && !object.get("attStmt").get("x5c"));
}
