import { type Filter, ObjectId } from "mongodb";
import { asFilter } from "#db/driver/driver-types.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { decodeCursor, decodeNameCursor, encodeCursor, encodeNameCursor } from "#domain/cursor.ts";
import type { FileSort } from "#domain/files/file.ts";
import {
  type Category,
  type FileNarrowing,
  type FileQuery,
  isCategory,
  LARGE_BYTES,
  ROOT_FOLDER,
} from "#domain/files/file-query.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { toTagKey } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { fieldsIn } from "#domain/typed-keys.ts";

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
export function narrowingFilter({ lang, category, repo, folder }: Narrowing): Filter<FileDoc> {
  const inFolder = folder ? { folder_id: folder === ROOT_FOLDER ? null : folder } : {};
  const shared = { ...inFolder, ...(lang ? { language: lang.toLowerCase() } : {}) };
  const named = repo ? { repo } : {};
  if (!category) return { ...shared, ...named };
  if (!isCategory(category)) return { ...shared, tag_keys: toTagKey(category), ...named };
  // Files of no repository are never files of a named one.
  if (category === "other" && repo) return { ...shared, repo: { $in: [] } };
  return { ...shared, ...CATEGORY_FILTERS[category], ...named };
}

/** The owner's living files that a list was narrowed to, the words to look for aside. */
export function toFilter(ownerId: string, narrowing: Narrowing): Filter<FileDoc> {
  return { user_id: ownerId, deleted_at: null, ...narrowingFilter(narrowing) };
}

/** All files with a tag, the newest living one first. */
export const TAG_INDEX = "files_with_tag";

const LIST_INDEXES: Record<Category, string> = {
  recent: "opened_files",
  favorites: "favorite_files",
  pinned: "pinned_files",
  repo: "files_from_repos",
  large: "large_files",
  other: "files_of_repo",
};

/** The index that holds all files of a narrowing in the order of their creation, and the other things a list may be narrowed to. */
function narrowingIndex({ lang, category, repo, folder }: Narrowing): string {
  if (folder) return "files_of_folder";
  if (category === "favorites" && lang) return "favorite_files_of_language";
  if (repo && (!category || category === "repo")) return "files_of_repo";
  if (category) return isCategory(category) ? LIST_INDEXES[category] : TAG_INDEX;
  return lang ? "files_of_language" : "by_creation";
}

/** A list in one of these orders is walked in that order, whatever it is narrowed to: an index for each narrowing would cost every save. */
const ORDER_INDEXES = {
  updated_at: "by_update",
  name_order: "by_name_order",
  size_bytes: "by_size",
} as const;

/**
 * The index that a list is read from: it holds the list's order. It is named in the query, because a planner that tries several at once may
 * settle on one that has to sort.
 */
export function listIndex({ sort = "created_at_desc", ...query }: Narrowing & { sort?: FileSort }): string {
  const { field } = toOrder({ ...query, sort });
  // A folder's files are few beside all; in another order than these two they are sorted.
  if (query.folder) return field === "name_order" ? "files_of_folder_by_name" : "files_of_folder";
  return field === "created_at" || field === "last_opened_at" ? narrowingIndex(query) : ORDER_INDEXES[field];
}

/** The index whose keys alone say how many files there are. */
export function countIndex(narrowing: Narrowing): string {
  return narrowing.category === "repo" ? "files_of_repo" : narrowingIndex(narrowing);
}

type Order = {
  field: "created_at" | "last_opened_at" | keyof typeof ORDER_INDEXES;
  direction: 1 | -1;
};
/** In a list by names it has the name, too: a cursor carries that, and where the name stands follows from it. */
type ListPosition = { value: Date | string | number; id: ObjectId; name?: string };
export type Span = { order: Order; from: ListPosition | null; backwards: boolean };

const ORDERS: Record<FileSort, Order> = {
  created_at_desc: { field: "created_at", direction: -1 },
  created_at_asc: { field: "created_at", direction: 1 },
  updated_at_desc: { field: "updated_at", direction: -1 },
  updated_at_asc: { field: "updated_at", direction: 1 },
  name_asc: { field: "name_order", direction: 1 },
  name_desc: { field: "name_order", direction: -1 },
  size_desc: { field: "size_bytes", direction: -1 },
  size_asc: { field: "size_bytes", direction: 1 },
};

/** By what a list is ordered. Files opened lately are ordered by when they were opened, unless another order than by age was requested. */
export function toOrder({ category, sort }: { category?: string; sort: FileSort }): Order {
  const order = ORDERS[sort];
  return category === "recent" && order.field === "created_at"
    ? { ...order, field: "last_opened_at" }
    : order;
}

/** Where a page begins and which way it is read. A page before a place is read backwards and turned around. */
export function parseSpan({ category, sort, cursor, before }: FileQuery): Span | Refusal {
  const given = cursor ?? before;
  const { field, direction } = toOrder({ category, sort });
  const from = given === undefined ? null : parsePosition(given, field);
  if (given !== undefined && from === null) return Refusal("invalid_cursor");
  const backwards = cursor === undefined && before !== undefined;
  return { order: { field, direction: backwards ? reverse(direction) : direction }, from, backwards };
}

const reverse = (direction: 1 | -1): 1 | -1 => (direction === 1 ? -1 : 1);

function parsePosition(cursor: string, field: Order["field"]): ListPosition | null {
  if (field === "name_order") {
    const named = decodeNameCursor(cursor);
    return named && toNamedPlace(named.name, new ObjectId(named.id));
  }
  const decoded = decodeCursor(cursor);
  if (!decoded) return null;
  const { createdAtMs: number, id } = decoded;
  return { value: field === "size_bytes" ? number : new Date(number), id: new ObjectId(id) };
}

export const toSort = ({ field, direction }: Order): Record<string, 1 | -1> => ({
  [field]: direction,
  _id: direction,
});

/**
 * What lies past a place. The bound on the value alone is what an index is read by; what shares the value and is not past the place is
 * taken out by `$nor`, which no planner reads a second index for, as it may for `$or`.
 */
export function past(
  filter: Filter<FileDoc>,
  { field, direction }: Order,
  from: ListPosition | null,
): Filter<FileDoc> {
  if (!from) return filter;
  const [beyondOrAt, atOrBefore] =
    direction === 1 ? (["$gte", "$lte"] as const) : (["$lte", "$gte"] as const);
  // The list may be narrowed by the same field: to large files, or to those ever opened.
  return asFilter<FileDoc>({
    ...filter,
    [field]: { ...fieldsIn(filter[field]), [beyondOrAt]: from.value },
    $nor: [{ [field]: from.value, _id: { [atOrBefore]: from.id } }],
  });
}

const toNamedPlace = (name: string, id: ObjectId): ListPosition => ({ value: toNameOrder(name), id, name });

export function toPlace(doc: FileDoc, { field }: Order): ListPosition {
  if (field === "name_order") return toNamedPlace(doc.file_name, doc._id);
  return { value: doc[field] ?? new Date(0), id: doc._id };
}

/** Negative where `a` comes first. */
export function comparePlaces(a: ListPosition, b: ListPosition, { direction }: Order): number {
  const byId = a.id.toHexString() < b.id.toHexString() ? -1 : a.id.equals(b.id) ? 0 : 1;
  return direction * (compareValues(a.value, b.value) || byId);
}

/** Texts are in the order of their bytes, as stores have them. */
function compareValues(a: ListPosition["value"], b: ListPosition["value"]): number {
  if (typeof a === "string" || typeof b === "string")
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  return Number(a) - Number(b);
}

const cursorAt = ({ value, id, name }: ListPosition) =>
  name !== undefined
    ? encodeNameCursor({ name, id: id.toHexString() })
    : encodeCursor({ createdAtMs: Number(value), id: id.toHexString() });

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
