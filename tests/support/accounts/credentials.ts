/** One credential of each kind for a person, made through the product, and the status of a request with it. */

import { findReachPerOwner } from "#db/reminders/push/push-subscriptions.server.ts";
import type { CredentialKind } from "#domain/accounts/credential.ts";
import { required } from "#domain/required.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import type { TestWeb, Visitor } from "#tests/support/web.ts";

export const PASSWORD = "open sesame";

/** Each returns the status of a request with it. A device sends no requests: 200 while it receives messages, 404 otherwise. */
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
      const [reach] = await findReachPerOwner(web.db, [id]);
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
  return required(/cs_[\w-]{43}/.exec((await visitor.press("/settings/tokens", fields)).html))[0];
}

export async function givenFeed(visitor: Visitor): Promise<string> {
  const { html } = await visitor.press("/settings/feeds", { intent: "make" });
  return required(/\/feeds\/([\w-]{20,})\//.exec(html)?.[1]);
}

async function givenPushDevice(visitor: Visitor, endpoint: string): Promise<void> {
  const keys = { p256dh: generateVapidPair().publicKey, auth: Buffer.alloc(16).toString("base64url") };
  const { status, body } = await visitor.send("POST", "/api/push/subscribe", { endpoint, keys });
  if (status !== 201) throw new Error(JSON.stringify(body));
}

/** A share with a password, and a reader who has entered it. */
export async function givenOpenShare(web: TestWeb, owner: Visitor) {
  const text = "behind_it = 1\n";
  const fileId = await owner.saveFile(`locked-${Math.random()}.py`, text);
  const { share_id: id } = (await owner.send("POST", `/api/share/${fileId}`, { password: PASSWORD })).body;
  const reader = web.visitor();
  const opened = await reader.press(`/share/${id}`, { intent: "open", password: PASSWORD });
  if (opened.status !== 303) throw new Error(opened.html);
  return { id: id as string, text, reader };
}
