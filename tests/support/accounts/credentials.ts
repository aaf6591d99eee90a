/** One credential of each kind for a person, made as a person makes it, and how a request with it is answered. */

import { findReachOfEach } from "#db/push/push-subscriptions.server.ts";
import type { CredentialKind } from "#domain/accounts/credential.ts";
import { required } from "#domain/required.ts";
import { newVapidPair } from "#platform/outbound/vapid.ts";
import type { TestWeb, Visitor } from "#tests/support/web.ts";

export const PASSWORD = "open sesame";

/** Each answers the status that its holder meets; a device, which asks for nothing, 200 while it is sent to and 404 otherwise. */
type HeldCredentials = Record<CredentialKind, () => Promise<number>>;

export async function givenCredentials(
  web: TestWeb,
  id: string,
): Promise<HeldCredentials & { here: Visitor }> {
  const here = await web.visitor().logIn(id);
  const token = await givenToken(here);
  const feed = await givenFeed(here);
  const endpoint = `https://push.example.com/${id}-${Math.random()}`;
  await givenPushDevice(here, endpoint);
  const share = await givenOpenShare(web, here);
  return {
    here,
    session: async () => (await here.ask("/api/files")).status,
    token: async () => (await web.visitor().ask("/api/files", bearer(token))).status,
    feed: async () => (await web.visitor().ask(`/feeds/${feed}/reminders.ics`)).status,
    device: async () => {
      const [reach] = await findReachOfEach(web.db, [id]);
      return required(reach).devices.some((device) => device.endpoint === endpoint) ? 200 : 404;
    },
    share_password: async () => {
      const answer = await share.reader.ask(`/share/${share.id}/raw`);
      return (await answer.text()) === share.text ? answer.status : 403;
    },
  };
}

export const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export async function givenToken(visitor: Visitor, name = "script"): Promise<string> {
  const fields = { intent: "create", name, scope: "write", lifetime: "null" };
  const page = await (await visitor.submit("/settings/tokens", fields)).text();
  return required(/cs_[\w-]{43}/.exec(page))[0];
}

export async function givenFeed(visitor: Visitor): Promise<string> {
  const page = await (await visitor.submit("/settings/feeds", { intent: "make" })).text();
  return required(required(/\/feeds\/([\w-]{20,})\//.exec(page))[1]);
}

async function givenPushDevice(visitor: Visitor, endpoint: string): Promise<void> {
  const keys = { p256dh: newVapidPair().publicKey, auth: Buffer.alloc(16).toString("base64url") };
  const answer = await visitor.ask("/api/push/subscribe", {
    method: "POST",
    body: JSON.stringify({ endpoint, keys }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

/** A share with a password, and a reader who has given it. */
export async function givenOpenShare(web: TestWeb, owner: Visitor) {
  const text = "behind_it = 1\n";
  const name = `locked-${Math.random()}.py`;
  const saved = await (await owner.ask(`/api/files/${name}`, { method: "PUT", body: text })).json();
  const body = JSON.stringify({ password: PASSWORD });
  const made = await (await owner.ask(`/api/share/${saved.file_id}`, { method: "POST", body })).json();
  const reader = web.visitor();
  const opened = await reader.submit(`/share/${made.share_id}`, { intent: "open", password: PASSWORD });
  if (opened.status !== 303) throw new Error(await opened.text());
  return { id: made.share_id as string, text, reader };
}
