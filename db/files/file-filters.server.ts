import { type Filter, ObjectId } from "mongodb";
import type { FileDoc } from "#db/files/documents.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import type { FileSort } from "#domain/files/file.ts";
import {
  type Category,
  type FileNarrowing,
  type FileQuery,
  isCategory,
  LARGE_BYTES,
} from "#domain/files/file-query.ts";
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

type Narrowing = Omit<FileNarrowing, "q">;

/** What a list was narrowed to, without the owner and the trash. */
export function narrowingFilter({ lang, category, repo }: Narrowing): Filter<FileDoc> {
  const language = lang ? { language: lang.toLowerCase() } : {};
  const named = repo ? { repo } : {};
  if (!category) return { ...language, ...named };
  if (!isCategory(category)) return { ...language, tags: category, ...named };
  // Files of no repository are never files of a named one.
  if (category === "other" && repo) return { ...language, repo: { $in: [] } };
  return { ...language, ...CATEGORY_FILTERS[category], ...named };
}

/** The owner's living files that a list was narrowed to, the words to look for aside. */
export function toFilter(ownerId: string, narrowing: Narrowing): Filter<FileDoc> {
  return { user_id: ownerId, deleted_at: null, ...narrowingFilter(narrowing) };
}

const LIST_INDEXES: Record<Category, string> = {
  recent: "opened_files",
  favorites: "favorite_files",
  pinned: "pinned_files",
  repo: "files_from_repos",
  large: "large_files",
  other: "files_of_repo",
};

/**
 * The index that a list is read from: it holds the list's order, and the other things the list may be narrowed to. It is named in
 * the query, because a planner that tries several at once may settle on one that has to sort.
 */
export function listIndex({ lang, category, repo }: Narrowing): string {
  if (category === "favorites" && lang) return "favorite_files_of_language";
  if (repo && (!category || category === "repo")) return "files_of_repo";
  if (category) return isCategory(category) ? LIST_INDEXES[category] : "files_of_tag";
  return lang ? "files_of_language" : "by_creation";
}

/** The index whose keys alone say how many files there are. */
export function countIndex(narrowing: Narrowing): string {
  return narrowing.category === "repo" ? "files_of_repo" : listIndex(narrowing);
}

export type Order = { field: "created_at" | "last_opened_at"; direction: 1 | -1 };
type ListPosition = { moment: Date; id: ObjectId };
export type Span = { order: Order; from: ListPosition | null; backwards: boolean };

/** By what a list is ordered. */
export const orderField = (category: string | undefined): Order["field"] =>
  category === "recent" ? "last_opened_at" : "created_at";

const DIRECTIONS: Record<FileSort, 1 | -1> = { created_at_desc: -1, created_at_asc: 1 };

/** Where a page begins and which way it is read. A page before a place is read backwards and turned around. */
export function parseSpan({ category, sort, cursor, before }: FileQuery): Span | Refusal {
  const given = cursor ?? before;
  const decoded = given === undefined ? null : decodeCursor(given);
  if (given !== undefined && decoded === null) return Refusal("invalid_cursor");
  const backwards = cursor === undefined && before !== undefined;
  const direction = (DIRECTIONS[sort] * (backwards ? -1 : 1)) as 1 | -1;
  return {
    order: { field: orderField(category), direction },
    from: decoded && { moment: new Date(decoded.createdAtMs), id: new ObjectId(decoded.id) },
    backwards,
  };
}

export const toSort = ({ field, direction }: Order) => ({ [field]: direction, _id: direction });

/**
 * What lies past a place. The bound on the moment alone is what an index is read by; what shares the moment and is not past the place is
 * taken out by `$nor`, which no planner reads a second index for, as it may for `$or`.
 */
export function past(filter: Filter<FileDoc>, { field, direction }: Order, from: ListPosition | null) {
  if (!from) return filter;
  const [beyondOrAt, atOrBefore] =
    direction === 1 ? (["$gte", "$lte"] as const) : (["$lte", "$gte"] as const);
  const opened = field === "last_opened_at" ? { $gt: new Date(0) } : {};
  return {
    ...filter,
    [field]: { ...opened, [beyondOrAt]: from.moment },
    $nor: [{ [field]: from.moment, _id: { [atOrBefore]: from.id } }],
  } as Filter<FileDoc>;
}

export function toPlace(doc: FileDoc, { field }: Order): ListPosition {
  return { moment: doc[field] ?? new Date(0), id: doc._id };
}

/** Negative where `a` comes first. */
export function comparePlaces(a: ListPosition, b: ListPosition, { direction }: Order): number {
  const byMoment = a.moment.getTime() - b.moment.getTime();
  const byId = a.id.toHexString() < b.id.toHexString() ? -1 : a.id.equals(b.id) ? 0 : 1;
  return direction * (byMoment || byId);
}

const cursorAt = ({ moment, id }: ListPosition) =>
  encodeCursor({ createdAtMs: moment.getTime(), id: id.toHexString() });

export type Cursors = { next_cursor: string | null; prev_cursor: string | null };

/** The ways on from a page whose rows are in reading order; `more` says whether reading on would have found more. */
export function toCursors(
  span: Span,
  first: ListPosition | undefined,
  last: ListPosition | undefined,
  more: boolean,
): Cursors {
  const { backwards, from } = span;
  const [ahead, behind] = backwards ? [true, more] : [more, from !== null];
  return {
    next_cursor: ahead && last ? cursorAt(last) : null,
    prev_cursor: behind && first ? cursorAt(first) : null,
  };
}
