import webPush from "web-push";
import type { Clock } from "#platform/clock.ts";
import { HOUR_MS, HOUR_SECONDS } from "#platform/durations.ts";
import { type Outbound, OutboundRefused } from "#platform/outbound/outbound.ts";
import { retryAfterMs } from "#platform/outbound/retry-after.ts";
import type { VapidPair } from "#platform/outbound/vapid.ts";
import { readError } from "#platform/read-error.ts";

/**
 * One encrypted message to one browser, through the push service that the browser named. The library encrypts and signs;
 * this file sends, so that no private address is asked and nothing waits without limit.
 */
type VapidKeys = VapidPair & { subject: string };
type PushTarget = { endpoint: string; p256dh: string; auth: string };
type PushMessage = {
  text: string;
  /** A waiting message is replaced by the next one with the same topic. 32 url-safe characters. */
  topic: string;
};

/** What became of a message. No outcome names the endpoint, which is a secret of its device. */
export type PushOutcome =
  | { result: "delivered"; status: number }
  | { result: "gone"; status: number }
  | { result: "retry"; status?: number; error: string; waitMs: number | null }
  | { result: "refused"; status?: number; error: string };

export type SendPush = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>;

const TTL_SECONDS = 900;
const ANSWER_MAX_BYTES = 64 * 1024;

type Options = { vapid: VapidKeys; outbound: Outbound; timeoutMs: number; clock: Clock };

export function createPushSender({ vapid, outbound, timeoutMs, clock }: Options): SendPush {
  const authorizationFor = createSigner(vapid, clock);
  return async (target, message) => {
    const encrypted = encryptMessage(target, message, authorizationFor);
    if (!encrypted) return { result: "refused", error: "unusable_keys" };
    try {
      const answer = await outbound.ask({
        ...encrypted,
        url: target.endpoint,
        method: "POST",
        timeoutMs,
        maxAnswerBytes: ANSWER_MAX_BYTES,
      });
      return toOutcome(answer.status, retryAfterMs(answer.headers["retry-after"], clock()));
    } catch (error) {
      return outcomeOfFault(error);
    }
  };
}

/** The message encrypted for its device, with the headers that say who sends it. Null where the device's keys are invalid. */
function encryptMessage(
  { endpoint, p256dh, auth }: PushTarget,
  { text, topic }: PushMessage,
  authorizationFor: Signer,
) {
  try {
    const Authorization = authorizationFor(new URL(endpoint).origin);
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      headers: { Authorization },
      TTL: TTL_SECONDS,
      urgency: "high",
      topic,
      contentEncoding: "aes128gcm",
    });
    // Its types call them the headers of an answer; it makes a plain object.
    return { headers: headers as Record<string, string>, body };
  } catch {
    return null;
  }
}

type Signer = (audience: string) => string;

const SIGNED_FOR_SECONDS = 12 * HOUR_SECONDS;
const SIGNED_ANEW_MS = HOUR_MS;
const AUDIENCES_MAX = 1_000;

/** One signature an hour for each push service, because signing costs as much as encrypting a message. */
function createSigner({ subject, publicKey, privateKey }: VapidKeys, clock: Clock): Signer {
  const signed = new Map<string, { header: string; until: number }>();
  return (audience) => {
    const now = clock().getTime();
    const known = signed.get(audience);
    if (known && known.until > now) return known.header;
    const expires = Math.floor(Date.now() / 1000) + SIGNED_FOR_SECONDS;
    const { Authorization: header } = webPush.getVapidHeaders(
      audience,
      subject,
      publicKey,
      privateKey,
      "aes128gcm",
      expires,
    );
    if (signed.size >= AUDIENCES_MAX) signed.clear();
    signed.set(audience, { header, until: now + SIGNED_ANEW_MS });
    return header;
  };
}

const GONE: readonly number[] = [404, 410];
const WORTH_ANOTHER_TRY: readonly number[] = [408, 425, 429];

function toOutcome(status: number, waitMs: number | null): PushOutcome {
  if (status >= 200 && status < 300) return { result: "delivered", status };
  if (GONE.includes(status)) return { result: "gone", status };
  const error = `http_${status}`;
  return status >= 500 || WORTH_ANOTHER_TRY.includes(status)
    ? { result: "retry", status, error, waitMs }
    : { result: "refused", status, error };
}

/** Network errors are tried again; an address that may not be asked is not. */
function outcomeOfFault(fault: unknown): PushOutcome {
  if (fault instanceof OutboundRefused) return { result: "refused", error: fault.code };
  const { name, code } = readError(fault);
  const error =
    name === "TimeoutError" || name === "AbortError" ? "timeout" : String(code ?? name).toLowerCase();
  return { result: "retry", error, waitMs: null };
}
