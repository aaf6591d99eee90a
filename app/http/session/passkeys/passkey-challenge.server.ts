import type { RequestContext } from "#app/http/request-context.ts";
import { readSignedValue, signValue } from "#app/http/session/signed-value.ts";
import { claimLoginProof } from "#db/accounts/used-logins.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/**
 * What a passkey signs: a random text, until when it is good, and our own signature over both and over whom it was given to. So nothing
 * is stored for those who only open the page, and what was signed elsewhere, too late or for another browser is not ours. A
 * challenge that was answered is remembered until it ends and is good only once.
 */
const LIFETIME_MS = 5 * MINUTE_MS;

/** Whom a challenge is for: a browser that logs in, or a session that adds a passkey. */
type ChallengeHolder = { login: string } | { session: string };

const toPurpose = (holder: ChallengeHolder) =>
  "login" in holder ? `passkey login ${holder.login}` : `new passkey ${holder.session}`;

export function createChallenge({ services }: RequestContext, holder: ChallengeHolder): string {
  const { env, clock } = services;
  const text = `${newToken(16)}.${clock().getTime() + LIFETIME_MS}`;
  return signValue(env.sessionSecret, toPurpose(holder), text);
}

/** Until when a challenge is good that came back, as browsers write it; null for one that is not ours. */
function readChallenge({ services }: RequestContext, holder: ChallengeHolder, received: string): Date | null {
  const { env, clock } = services;
  const signed = Buffer.from(received, "base64url").toString();
  const text = readSignedValue(env.sessionSecret, toPurpose(holder), signed);
  const until = Number(text?.split(".").at(1));
  return until > clock().getTime() ? new Date(until) : null;
}

export const isChallenge = (context: RequestContext, holder: ChallengeHolder, received: string): boolean =>
  readChallenge(context, holder, received) !== null;

/** True once for each challenge. */
export async function claimChallenge(
  context: RequestContext,
  holder: ChallengeHolder,
  received: string,
): Promise<boolean> {
  const until = readChallenge(context, holder, received);
  return until !== null && claimLoginProof(context.services.db, received, until);
}
