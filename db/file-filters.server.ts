import { type Filter, ObjectId } from "mongodb";
import type { FileDoc } from "#db/files.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import type { FileSort } from "#domain/file.ts";
import {
  type Category,
  type FileNarrowing,
  type FileQuery,
  isCategory,
  LARGE_BYTES,
} from "#domain/file-query.ts";
import { Refusal } from "#domain/refusal.ts";

/** Each has an index of its own that holds its files in the order of the list. */
const CATEGORY_FILTERS: Record<Category, Filter<FileDoc>> = {
  recent: { last_opened_at: { $gt: new Date(0) } },
  favorites: { is_favorite: true },
  pinned: { is_pinned: true },
  repo: { repo: { $gt: "" } },
  large: { size_bytes: { $gte: LARGE_BYTES } },
  other: { repo: null },
};

/** The owner's living files that a list was narrowed to, the words to look for aside. */
export function filterOf(ownerId: string, { lang, category, repo }: FileNarrowing): Filter<FileDoc> {
  const parts: Filter<FileDoc>[] = [];
  if (lang) parts.push({ language: lang.toLowerCase() });
  if (category) parts.push(isCategory(category) ? CATEGORY_FILTERS[category] : { tags: category });
  if (repo) parts.push({ repo });
  // Two parts may speak of one field, as `category=other` and `repo` do: both must hold.
  const filter: Filter<FileDoc> = { user_id: ownerId, deleted_at: null };
  const clashes: Filter<FileDoc>[] = [];
  for (const part of parts) {
    if (Object.keys(part).some((field) => field in filter)) clashes.push(part);
    else Object.assign(filter, part);
  }
  return clashes.length > 0 ? { ...filter, $and: clashes } : filter;
}

export type Order = { field: "created_at" | "last_opened_at"; direction: 1 | -1 };
export type Place = { moment: Date; id: ObjectId };
export type Span = { order: Order; from: Place | null; backwards: boolean };

const DIRECTIONS: Record<FileSort, 1 | -1> = { created_at_desc: -1, created_at_asc: 1 };

/** Where a page begins and which way it is read. A page before a place is read backwards and turned around. */
export function spanOf({ category, sort, cursor, before }: FileQuery): Span | Refusal {
  const given = cursor ?? before;
  const decoded = given === undefined ? null : decodeCursor(given);
  if (given !== undefined && decoded === null) return Refusal("invalid_cursor");
  const backwards = cursor === undefined && before !== undefined;
  const direction = (DIRECTIONS[sort] * (backwards ? -1 : 1)) as 1 | -1;
  return {
    order: { field: category === "recent" ? "last_opened_at" : "created_at", direction },
    from: decoded && { moment: new Date(decoded.createdAtMs), id: new ObjectId(decoded.id) },
    backwards,
  };
}

export const sortOf = ({ field, direction }: Order) => ({ [field]: direction, _id: direction });

/** What lies past a place. The bound on the moment alone is what an index is read by. */
export function past(filter: Filter<FileDoc>, { field, direction }: Order, from: Place | null) {
  if (!from) return filter;
  const [beyond, beyondOrAt] = direction === 1 ? (["$gt", "$gte"] as const) : (["$lt", "$lte"] as const);
  const opened = field === "last_opened_at" && direction === -1 ? { $gt: new Date(0) } : {};
  return {
    ...filter,
    [field]: { ...opened, [beyondOrAt]: from.moment },
    $or: [{ [field]: { [beyond]: from.moment } }, { [field]: from.moment, _id: { [beyond]: from.id } }],
  } as Filter<FileDoc>;
}

export function placeOf(doc: FileDoc, { field }: Order): Place {
  return { moment: doc[field] ?? new Date(0), id: doc._id };
}

/** Negative where `a` comes first. */
export function comparePlaces(a: Place, b: Place, { direction }: Order): number {
  const byMoment = a.moment.getTime() - b.moment.getTime();
  const byId = a.id.toHexString() < b.id.toHexString() ? -1 : a.id.equals(b.id) ? 0 : 1;
  return direction * (byMoment || byId);
}

export const cursorAt = ({ moment, id }: Place) =>
  encodeCursor({ createdAtMs: moment.getTime(), id: id.toHexString() });

export type Cursors = { next_cursor: string | null; prev_cursor: string | null };

/** The ways on from a page whose rows are in reading order; `more` says whether reading on would have found more. */
export function cursorsOf(
  span: Span,
  first: Place | undefined,
  last: Place | undefined,
  more: boolean,
): Cursors {
  const { backwards, from } = span;
  const [ahead, behind] = backwards ? [true, more] : [more, from !== null];
  return {
    next_cursor: ahead && last ? cursorAt(last) : null,
    prev_cursor: behind && first ? cursorAt(first) : null,
  };
}
