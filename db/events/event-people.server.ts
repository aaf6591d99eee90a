import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import type { EventResource } from "#domain/events/event-resource.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";

/** The newest accounts that are looked through for the people of events. */
const ACCOUNTS_READ = 2_000;

export type EventPerson = { id: string; name: string };

/**
 * Who the people of these events are, by the id of what each event is about: a person by their id in events, which cannot be turned back
 * but follows from that of their account, and the owner of a token that still exists. Names stay out of events; this is for pages of
 * administrators alone, who see all accounts anyway.
 */
export async function findEventPeople(
  db: Db,
  resources: readonly EventResource[],
): Promise<Map<string, EventPerson>> {
  const wanted = (type: string) => resources.flatMap((each) => (each.type === type ? [each.id] : []));
  const hidden = new Set(wanted("user"));
  const tokenIds = wanted("token").filter(isOpaqueId);
  if (hidden.size === 0 && tokenIds.length === 0) return new Map();
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
    if (hidden.has(key)) people.set(key, person);
    for (const token of tokens) if (token.user_id === _id) people.set(token._id.toHexString(), person);
  }
  return people;
}
