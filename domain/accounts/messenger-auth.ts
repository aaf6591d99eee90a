import { Refusal } from "#domain/refusal.ts";
import { hasControlCharacters } from "#domain/text/text.ts";

/**
 * A login of the messenger's widget. The hash covers each received field except itself, as `key=value` lines sorted by key. A
 * value with a newline would make these lines ambiguous, so control characters refuse the login, and so does each field that is
 * not a string or a number.
 */
export type WidgetLogin = {
  fields: Record<string, string>;
  hash: string;
  profile: MessengerProfile;
  authDateSeconds: number;
};

export type MessengerProfile = {
  id: string;
  first_name: string;
  last_name: string | null;
  username: string | null;
  photo_url: string | null;
};

const FUTURE_TOLERANCE_SECONDS = 300;
const MAX_FIELDS = 32;
const FIELD_NAME = /^\w{1,64}$/;
const HASH = /^[0-9a-f]{64}$/;

export function parseWidgetLogin(received: Record<string, unknown>): WidgetLogin | Refusal {
  if (["id", "auth_date", "hash"].some((name) => isMissing(received[name]))) return Refusal("missing_field");
  const { hash, ...signedFields } = received;
  const fields = toPlainFields(signedFields);
  if (!fields || typeof hash !== "string" || !HASH.test(hash)) return Refusal("invalid_hash");
  const { id = "", auth_date = "" } = fields;
  if (!/^[1-9]\d{0,19}$/.test(id) || !/^\d{1,12}$/.test(auth_date)) return Refusal("invalid_hash");
  return { fields, hash, profile: toProfile(id, fields), authDateSeconds: Number(auth_date) };
}

export function toSignedText(fields: Record<string, string>): string {
  return Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join("\n");
}

export function isFresh(authDateSeconds: number, now: Date, maxAgeSeconds: number): boolean {
  const ageSeconds = now.getTime() / 1000 - authDateSeconds;
  return ageSeconds <= maxAgeSeconds && ageSeconds >= -FUTURE_TOLERANCE_SECONDS;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function toPlainFields(received: Record<string, unknown>): Record<string, string> | null {
  const entries = Object.entries(received);
  const arePlain = entries.every(([key, value]) => FIELD_NAME.test(key) && isPlainValue(value));
  if (!arePlain || entries.length > MAX_FIELDS) return null;
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return (
    typeof value === "string" && value.length <= 4096 && value.isWellFormed() && !hasControlCharacters(value)
  );
}

function toProfile(id: string, fields: Record<string, string>): MessengerProfile {
  return {
    id,
    first_name: fields.first_name ?? "",
    last_name: fields.last_name ?? null,
    username: fields.username ?? null,
    photo_url: fields.photo_url?.startsWith("https://") ? fields.photo_url : null,
  };
}
