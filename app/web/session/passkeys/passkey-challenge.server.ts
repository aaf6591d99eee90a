import type { RequestContext } from "#app/web/request-context.ts";
import { readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { claimLoginProof } from "#db/accounts/used-logins.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

/**
 * The challenge that a passkey signs: a random text, its expiry, and our signature over both and its holder. So nothing is stored for
 * people who only open the page, and an answer made elsewhere, too late or for another browser is rejected. A used challenge is remembered
 * until it expires, because each is good only once.
 */
const LIFETIME_MS = 5 * MINUTE_MS;

/** A browser that logs in, or a session that adds a passkey. */
type ChallengeHolder = { login: string } | { session: string };

const toPurpose = (holder: ChallengeHolder) =>
  "login" in holder ? `passkey login ${holder.login}` : `new passkey ${holder.session}`;

export function createChallenge({ services }: RequestContext, holder: ChallengeHolder): string {
  const { env, clock } = services;
  const text = `${generateToken(16)}.${clock().getTime() + LIFETIME_MS}`;
  return signValue(env.sessionSecret, toPurpose(holder), text);
}

/** Returns the expiry of a challenge as browsers send it back; null if it is not ours or has expired. */
function readChallenge({ services }: RequestContext, holder: ChallengeHolder, received: string): Date | null {
  const { env, clock } = services;
  const signed = Buffer.from(received, "base64url").toString();
  const text = readSignedValue(env.sessionSecret, toPurpose(holder), signed);
  const until = Number(text?.split(".").at(1));
  return until > clock().getTime() ? new Date(until) : null;
}

export const isChallenge = (context: RequestContext, holder: ChallengeHolder, received: string): boolean =>
  readChallenge(context, holder, received) !== null;

export async function claimChallenge(
  context: RequestContext,
  holder: ChallengeHolder,
  received: string,
): Promise<boolean> {
  const until = readChallenge(context, holder, received);
  return until !== null && claimLoginProof(context.services.db, received, until);
}
