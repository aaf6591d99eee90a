import type { WebServices } from "#app/web/request-context.ts";
import { listDevices } from "#db/reminders/push/push-subscriptions.server.ts";
import type { CredentialOwner } from "#domain/accounts/credential.ts";

/** Counts the devices that get a person's reminders; null if this server sends none to devices. */
export async function countReachedDevices(
  { db, env }: Pick<WebServices, "db" | "env">,
  owner: CredentialOwner,
): Promise<number | null> {
  return env.vapid.publicKey ? (await listDevices(db, owner)).length : null;
}
