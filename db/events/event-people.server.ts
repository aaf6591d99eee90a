import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import type { EventResource } from "#domain/events/event-resource.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";

/** Only the newest accounts are searched for the people of events. */
const ACCOUNTS_READ = 2_000;

export type EventPerson = { id: string; name: string };

/**
 * Finds the people of events by resource id: a person by their id in events, which is derived from the account's and cannot be reversed,
 * and the owner of an existing token. Events contain no names; this is only for pages of administrators, who see all accounts anyway.
 */
export async function findEventPeople(
  db: Db,
  resources: readonly EventResource[],
): Promise<Map<string, EventPerson>> {
  const listIds = (type: string) =>
    resources.flatMap((resource) => (resource.type === type ? [resource.id] : []));
  const personIds = new Set(listIds("user"));
  const tokenIds = listIds("token").filter(isOpaqueId);
  if (personIds.size === 0 && tokenIds.length === 0) return new Map();
  const tokens = await db.tokens
    .find({ _id: { $in: tokenIds.map((id) => new ObjectId(id)) } }, { projection: { user_id: 1 } })
    .toArray();
  const accounts = await db.users
    .find({}, { hint: "by_creation", projection: { first_name: 1, last_name: 1 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(ACCOUNTS_READ)
    .toArray();
  const people = new Map<string, EventPerson>();
  for (const { _id, first_name, last_name } of accounts) {
    const person = { id: _id, name: [first_name, last_name].filter(Boolean).join(" ") };
    const key = toEventPerson(_id);
    if (personIds.has(key)) people.set(key, person);
    for (const token of tokens) if (token.user_id === _id) people.set(token._id.toHexString(), person);
  }
  return people;
}
