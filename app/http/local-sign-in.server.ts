import { widgetHash } from "#app/http/messenger-strategy.server.ts";
import type { Visit } from "#app/http/visit.ts";

/**
 * The people one can be on a machine that runs the embedded default without a bot. The page carries, ready signed, the very
 * payload the widget would send, in a form that posts it to the same route; the key never leaves the server.
 */
export const LOCAL_PEOPLE = { localAdmin: "1", localReader: "2" } as const;

export type LocalPerson = keyof typeof LOCAL_PEOPLE;
export type LocalSignIn = { person: LocalPerson; fields: Record<string, string> };

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Empty unless the environment allows it, which production never does. A server that listens on this machine alone also
 * wants to be addressed by a name of this machine: a foreign name that was made to resolve here gets nothing.
 */
export function localSignIns(
  visit: Visit,
  host: string,
  nameOf: (person: LocalPerson) => string,
): LocalSignIn[] {
  const { env, clock } = visit.shelf;
  const reachable = LOOPBACK_HOST.test(host) || !LOOPBACK_HOST.test(env.host);
  if (!env.localSignIn || !reachable) return [];
  const auth_date = String(Math.floor(clock().getTime() / 1000));
  return (Object.keys(LOCAL_PEOPLE) as LocalPerson[]).map((person) => {
    const fields = { id: LOCAL_PEOPLE[person], first_name: nameOf(person), auth_date };
    return { person, fields: { ...fields, hash: widgetHash(env.messengerBotToken, fields) } };
  });
}
