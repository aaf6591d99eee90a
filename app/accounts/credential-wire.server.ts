import type { Credentials } from "#db/operations/credentials.server.ts";
import { credentialKey } from "#domain/accounts/credential.ts";
import { itemAt } from "#domain/required.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

/** Everything that gives access to the account, as its owner sees it. Each has a key that ends it and opens nothing. */
export function credentialsOnWire({ sessions, tokens, feed, devices, shares }: Credentials) {
  return {
    sessions: sessions.map(({ key, device, created_at, used_at, is_here }) => ({
      key: credentialKey("session", key),
      ...device,
      is_here,
      ...toTimestamps(created_at, used_at),
    })),
    tokens: tokens.map(({ id, name, ending, scope, created_at, last_used_at, expires_at }) => ({
      key: credentialKey("token", id),
      ...{ name, ending, scope },
      ...toTimestamps(created_at, last_used_at, expires_at),
    })),
    feeds: (feed ? [feed] : []).map(({ id, made_at, last_read_at }) => ({
      key: credentialKey("feed", id),
      ...toTimestamps(made_at, last_read_at),
    })),
    devices: devices.map(({ endpoint_hash, browser, system, created_at, last_success_at }) => ({
      key: credentialKey("device", endpoint_hash),
      ...{ browser, system },
      ...toTimestamps(created_at, last_success_at),
    })),
    share_passwords: shares.map(({ id, folder, files, created_at, opened_at = null, expires_at }) => ({
      key: credentialKey("share_password", id),
      share_id: id,
      file_name: folder?.name ?? itemAt(files, 0).file_name,
      ...toTimestamps(created_at, opened_at, expires_at),
    })),
  };
}

export type WireCredentials = ReturnType<typeof credentialsOnWire>;

const toTimestamps = (created_at: Date, last_used_at: Date | null, expires_at: Date | null = null) =>
  writeTimestamps({ created_at, last_used_at, expires_at });
