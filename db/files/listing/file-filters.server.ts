import { type Filter, ObjectId } from "mongodb";
import { asFilter } from "#db/core/driver/driver-types.ts";
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
import { toFields } from "#domain/typed-keys.ts";

/** Each category has its own index with its files in the order of the list. */
const CATEGORY_FILTERS: Record<Category, Filter<FileDoc>> = {
  recent: { last_opened_at: { $gt: new Date(0) } },
  favorites: { is_favorite: true },
  pinned: { is_pinned: true },
  repo: { repo: { $gt: "" } },
  large: { size_bytes: { $gte: LARGE_BYTES } },
  other: { repo: null },
};

type Narrowing = Omit<FileNarrowing, "q">;

/** Returns the filter of a narrowed list, without the owner and the trash. */
export function narrowingFilter({ lang, category, repo, folder }: Narrowing): Filter<FileDoc> {
  const inFolder = folder ? { folder_id: folder === ROOT_FOLDER ? null : folder } : {};
  const shared = { ...inFolder, ...(lang ? { language: lang.toLowerCase() } : {}) };
  const inRepo = repo ? { repo } : {};
  if (!category) return { ...shared, ...inRepo };
  if (!isCategory(category)) return { ...shared, tag_keys: toTagKey(category), ...inRepo };
  // Files without a repository never belong to a given one.
  if (category === "other" && repo) return { ...shared, repo: { $in: [] } };
  return { ...shared, ...CATEGORY_FILTERS[category], ...inRepo };
}

export function toFilter(ownerId: string, narrowing: Narrowing): Filter<FileDoc> {
  return { user_id: ownerId, deleted_at: null, ...narrowingFilter(narrowing) };
}

/** Contains all files with a tag, newest first, those outside the trash before the others. */
export const TAG_INDEX = "files_with_tag";

const LIST_INDEXES: Record<Category, string> = {
  recent: "opened_files",
  favorites: "favorite_files",
  pinned: "pinned_files",
  repo: "files_from_repos",
  large: "large_files",
  other: "files_of_repo",
};

/** Returns the index with all files of a narrowed list in the order of their creation, and with the other fields that lists are narrowed to. */
function narrowingIndex({ lang, category, repo, folder }: Narrowing): string {
  if (folder) return "files_of_folder";
  if (category === "favorites" && lang) return "favorite_files_of_language";
  if (repo && (!category || category === "repo")) return "files_of_repo";
  if (category) return isCategory(category) ? LIST_INDEXES[category] : TAG_INDEX;
  return lang ? "files_of_language" : "by_creation";
}

/** Lists in one of these orders are read in that order for every narrowing: an index for each narrowing would slow down every save. */
const ORDER_INDEXES = {
  updated_at: "by_update",
  name_order: "by_name_order",
  size_bytes: "by_size",
} as const;

/**
 * Returns the index that a list is read from, which has the list's order. Queries name it, because a planner that tries several
 * indexes may choose one that has to sort.
 */
export function chooseListIndex({
  sort = "created_at_desc",
  ...query
}: Narrowing & { sort?: FileSort }): string {
  const { field } = toOrder({ ...query, sort });
  // A folder contains few of all files, so they are sorted for any other order.
  if (query.folder) return field === "name_order" ? "files_of_folder_by_name" : "files_of_folder";
  return field === "created_at" || field === "last_opened_at" ? narrowingIndex(query) : ORDER_INDEXES[field];
}

/** Returns the index that counts the files by keys alone. */
export function chooseCountIndex(narrowing: Narrowing): string {
  return narrowing.category === "repo" ? "files_of_repo" : narrowingIndex(narrowing);
}

type Order = {
  field: "created_at" | "last_opened_at" | keyof typeof ORDER_INDEXES;
  direction: 1 | -1;
};
/** A position in a list by name includes the name: cursors contain it, and the sort key is computed from it. */
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

/** Returns the order of a list. Recently opened files are ordered by the time of opening, unless an order other than age was requested. */
export function toOrder({ category, sort }: { category?: string; sort: FileSort }): Order {
  const order = ORDERS[sort];
  return category === "recent" && order.field === "created_at"
    ? { ...order, field: "last_opened_at" }
    : order;
}

/** Returns the start and the direction of a page. A page before a position is read backwards and then reversed. */
export function parseSpan({ category, sort, cursor, before }: FileQuery): Span | Refusal {
  const cursorText = cursor ?? before;
  const { field, direction } = toOrder({ category, sort });
  const from = cursorText === undefined ? null : parsePosition(cursorText, field);
  if (cursorText !== undefined && from === null) return Refusal("invalid_cursor");
  const backwards = cursor === undefined && before !== undefined;
  return { order: { field, direction: backwards ? reverse(direction) : direction }, from, backwards };
}

const reverse = (direction: 1 | -1): 1 | -1 => (direction === 1 ? -1 : 1);

function parsePosition(cursor: string, field: Order["field"]): ListPosition | null {
  if (field === "name_order") {
    const namePosition = decodeNameCursor(cursor);
    return namePosition && toNamedPlace(namePosition.name, new ObjectId(namePosition.id));
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
 * Filters files after a position. An index uses only the bound on the value. `$nor` removes files with the same value up to the
 * position; unlike `$or`, it never makes a planner read a second index.
 */
export function toPastFilter(
  filter: Filter<FileDoc>,
  { field, direction }: Order,
  from: ListPosition | null,
): Filter<FileDoc> {
  if (!from) return filter;
  const [beyondOrAt, atOrBefore] =
    direction === 1 ? (["$gte", "$lte"] as const) : (["$lte", "$gte"] as const);
  // The list may be narrowed by the same field: to large files, or to files that were opened.
  return asFilter<FileDoc>({
    ...filter,
    [field]: { ...toFields(filter[field]), [beyondOrAt]: from.value },
    $nor: [{ [field]: from.value, _id: { [atOrBefore]: from.id } }],
  });
}

const toNamedPlace = (name: string, id: ObjectId): ListPosition => ({ value: toNameOrder(name), id, name });

export function toListPosition(doc: FileDoc, { field }: Order): ListPosition {
  if (field === "name_order") return toNamedPlace(doc.file_name, doc._id);
  return { value: doc[field] ?? new Date(0), id: doc._id };
}

/** Negative if `a` comes first. */
export function compareListPositions(a: ListPosition, b: ListPosition, { direction }: Order): number {
  const byId = a.id.toHexString() < b.id.toHexString() ? -1 : a.id.equals(b.id) ? 0 : 1;
  return direction * (compareValues(a.value, b.value) || byId);
}

/** Compares texts by their bytes, like the store. */
function compareValues(a: ListPosition["value"], b: ListPosition["value"]): number {
  if (typeof a === "string" || typeof b === "string")
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  return Number(a) - Number(b);
}

const toCursor = ({ value, id, name }: ListPosition) =>
  name !== undefined
    ? encodeNameCursor({ name, id: id.toHexString() })
    : encodeCursor({ createdAtMs: Number(value), id: id.toHexString() });

export type Cursors = { next_cursor: string | null; prev_cursor: string | null };

/** Returns the cursors of a page whose rows are in reading order; `more` is true if there were more rows in the direction of reading. */
export function toCursors(
  span: Span,
  first: ListPosition | undefined,
  last: ListPosition | undefined,
  more: boolean,
): Cursors {
  const { backwards, from } = span;
  const [hasNext, hasPrevious] = backwards ? [true, more] : [more, from !== null];
  return {
    next_cursor: hasNext && last ? toCursor(last) : null,
    prev_cursor: hasPrevious && first ? toCursor(first) : null,
  };
}
