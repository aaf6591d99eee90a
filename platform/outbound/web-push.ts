import webPush from "web-push";
import type { Clock } from "#platform/clock.ts";
import { HOUR_MS, HOUR_SECONDS } from "#platform/durations.ts";
import { type Outbound, OutboundRefused } from "#platform/outbound/outbound.ts";
import type { VapidPair } from "#platform/outbound/vapid.ts";
import { readError } from "#platform/read-error.ts";

/**
 * Sends an encrypted message to a browser through the push service that the browser named. The library encrypts and signs; this
 * file sends, so that private addresses are refused and time limits hold.
 */
type VapidKeys = VapidPair & { subject: string };
type PushTarget = { endpoint: string; p256dh: string; auth: string };
type PushMessage = {
  text: string;
  /** A new message replaces a waiting one with the same topic. 32 url-safe characters. */
  topic: string;
};

/** The result of a delivery. It never contains the endpoint, which is a secret of its device. */
export type PushOutcome =
  | { result: "delivered"; status: number }
  | { result: "gone"; status: number }
  | { result: "retry"; status?: number; error: string; waitMs: number | null }
  | { result: "refused"; status?: number; error: string };

export type SendPush = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>;

const TTL_SECONDS = 900;
const ANSWER_MAX_BYTES = 64 * 1024;

type PushOptions = { vapid: VapidKeys; outbound: Outbound; timeoutMs: number; clock: Clock };

export function createPushSender({ vapid, outbound, timeoutMs, clock }: PushOptions): SendPush {
  const sign = createSigner(vapid, clock);
  return async (target, message) => {
    const encrypted = encryptMessage(target, message, sign);
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
      return toFaultOutcome(error);
    }
  };
}

/** Encrypts a message for its device and signs its headers. Returns null if the device's keys are invalid. */
function encryptMessage({ endpoint, p256dh, auth }: PushTarget, { text, topic }: PushMessage, sign: Signer) {
  try {
    const Authorization = sign(new URL(endpoint).origin);
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      headers: { Authorization },
      TTL: TTL_SECONDS,
      urgency: "high",
      topic,
      contentEncoding: "aes128gcm",
    });
    // The library types them as response headers but returns a plain object.
    return { headers: headers as Record<string, string>, body };
  } catch {
    return null;
  }
}

type Signer = (audience: string) => string;

const SIGNATURE_SECONDS = 12 * HOUR_SECONDS;
const SIGNATURE_REUSE_MS = HOUR_MS;
const AUDIENCES_MAX = 1_000;

/** Reuses a signature for an hour per push service, because signing costs as much as encrypting a message. */
function createSigner({ subject, publicKey, privateKey }: VapidKeys, clock: Clock): Signer {
  const signatures = new Map<string, { header: string; until: number }>();
  return (audience) => {
    const now = clock().getTime();
    const cached = signatures.get(audience);
    if (cached && cached.until > now) return cached.header;
    const expires = Math.floor(Date.now() / 1000) + SIGNATURE_SECONDS;
    const { Authorization: header } = webPush.getVapidHeaders(
      audience,
      subject,
      publicKey,
      privateKey,
      "aes128gcm",
      expires,
    );
    if (signatures.size >= AUDIENCES_MAX) signatures.clear();
    signatures.set(audience, { header, until: now + SIGNATURE_REUSE_MS });
    return header;
  };
}

const GONE: readonly number[] = [404, 410];
const TEMPORARY: readonly number[] = [408, 425, 429];

function toOutcome(status: number, waitMs: number | null): PushOutcome {
  if (status >= 200 && status < 300) return { result: "delivered", status };
  if (GONE.includes(status)) return { result: "gone", status };
  const error = `http_${status}`;
  return status >= 500 || TEMPORARY.includes(status)
    ? { result: "retry", status, error, waitMs }
    : { result: "refused", status, error };
}

/** Network errors are retried; refused addresses are not. */
function toFaultOutcome(fault: unknown): PushOutcome {
  if (fault instanceof OutboundRefused) return { result: "refused", error: fault.code };
  const { name, code } = readError(fault);
  const error =
    name === "TimeoutError" || name === "AbortError" ? "timeout" : String(code ?? name).toLowerCase();
  return { result: "retry", error, waitMs: null };
}

/** Parses a `Retry-After` header, in seconds or as a date; null for unusable values. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const timeMs = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? null : Math.max(0, timeMs - now.getTime());
}
