import { toCookieHeader, toCookieName } from "#app/web/session/cookies.ts";
import { readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { isShareId } from "#domain/shares/share.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";

/**
 * Proves that its holder has opened a share, until an expiry. It names the share and no person: after a password it is in a cookie for that
 * share's address only; after a view was used up it is in the addresses of the opened page. It is valid while the epochs of the owner's
 * credentials and of the share's keys are those in it; one without an epoch is of the first.
 */
const PURPOSE = "share key";

/** Long enough for one sitting with the last view, or for half a day with a password. */
const GOOD_FOR_MS = { view: 15 * MINUTE_MS, password: 12 * HOUR_MS } as const;

type Epochs = { id: string; owner_epoch: number; key_epoch?: number };
type Opened = Epochs & { views_left: number | null };

export function createShareKey(secret: string, share: Opened, now: Date): string {
  const goodForMs = share.views_left === null ? GOOD_FOR_MS.password : GOOD_FOR_MS.view;
  const { id, owner_epoch, key_epoch = 0 } = share;
  return signValue(secret, PURPOSE, `${id}.${now.getTime() + goodForMs}.${owner_epoch}.${key_epoch}`);
}

export function isShareKey(secret: string, share: Epochs, key: string | null, now: Date): boolean {
  const [id, until, ownerEpoch = "0", keyEpoch = "0"] =
    readSignedValue(secret, PURPOSE, key ?? "")?.split(".") ?? [];
  const { owner_epoch, key_epoch = 0 } = share;
  const isOfEpochs = ownerEpoch === String(owner_epoch) && keyEpoch === String(key_epoch);
  return id === share.id && Number(until) > now.getTime() && isOfEpochs;
}

const shareCookieName = (shareId: string) => `share-${shareId}`;
const shareCookiePath = (shareId: string) =>
  isShareId(shareId) ? `/share/${shareId}` : `/shared/${shareId}`;

export function readShareKey(cookies: Map<string, string>, shareId: string, secure: boolean): string | null {
  return (
    cookies.get(toCookieName(shareCookieName(shareId), { secure, path: shareCookiePath(shareId) })) ?? null
  );
}

export function toShareKeyCookie(shareId: string, key: string, secure: boolean): string {
  const path = shareCookiePath(shareId);
  const maxAgeSeconds = GOOD_FOR_MS.password / 1000;
  return toCookieHeader(shareCookieName(shareId), key, { maxAgeSeconds, secure, path });
}
