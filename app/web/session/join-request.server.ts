import { z } from "zod";
import type { RequestContext } from "#app/web/request-context.ts";
import { readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import type { ProvenIdentity } from "#db/accounts/identities.server.ts";
import { createJoinRequest } from "#db/accounts/join-requests.server.ts";
import type { PersonNames } from "#db/accounts/users.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/**
 * Keeps a proven identity that has no account and no invitation in a signed cookie of its own browser, for as long as the person may
 * ask to join. Nothing about them is stored until they do.
 */
const COOKIE = "join";
const PURPOSE = "join request";
const LIFETIME_MS = 10 * MINUTE_MS;
const SHOWN_MAX = 100;

const newcomer = z.object({
  key: z.string(),
  label: z.string(),
  name: z.string(),
  until: z.number(),
  asked: z.boolean(),
});
type Newcomer = z.output<typeof newcomer>;

export function storeNewcomer(context: RequestContext, identity: ProvenIdentity, names: PersonNames): void {
  const name = [names.first_name, names.last_name].filter(Boolean).join(" ");
  save(context, {
    key: identity.key,
    label: shorten(identity.label),
    name: shorten(name),
    asked: false,
  });
}

function save(context: RequestContext, who: Omit<Newcomer, "until">): void {
  const { env, clock } = context.services;
  const signed: Newcomer = { ...who, until: clock().getTime() + LIFETIME_MS };
  const text = Buffer.from(JSON.stringify(signed)).toString("base64url");
  context.session.keepCookie(COOKIE, signValue(env.sessionSecret, PURPOSE, text), LIFETIME_MS / SECOND_MS);
}

const shorten = (text: string) => [...text].slice(0, SHOWN_MAX).join("");

function readNewcomer(context: RequestContext): Newcomer | null {
  const { env, clock } = context.services;
  const text = readSignedValue(env.sessionSecret, PURPOSE, context.session.keptCookie(COOKIE) ?? "");
  if (text === null || env.signUp !== "invited") return null;
  const pending = newcomer.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  return pending.until > clock().getTime() ? pending : null;
}

export function findJoinStep(context: RequestContext): "ask" | "asked" | null {
  const pending = readNewcomer(context);
  if (!pending) return null;
  return pending.asked ? "asked" : "ask";
}

export function forgetNewcomer(context: RequestContext): void {
  if (context.session.keptCookie(COOKIE)) context.session.keepCookie(COOKIE, "", 0);
}

export async function askToJoin(context: RequestContext): Promise<true | Refusal> {
  const { db, clock } = context.services;
  const pending = readNewcomer(context);
  if (!pending || pending.asked) return Refusal("unknown_login_state");
  const { key, label, name } = pending;
  const result = await createJoinRequest(db, { key, label }, name, clock());
  if (result === true) save(context, { key, label, name, asked: true });
  return result;
}
