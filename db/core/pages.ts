/**
 * Reads a query to its end in pages, each from where the last one ended. No cursor stays open between pages, so a walk may take
 * any time and continues after an election; the time of a page is independent of the total.
 */

import type { BSONSerializeOptions, Collection, Document, WithId } from "mongodb";
import { asFilter } from "#db/core/driver/driver-types.ts";
import { lastItem } from "#domain/required.ts";

/** An order in which no two matching documents are equal, preferably that of an index. */
export type KeyOrder = Readonly<Record<string, 1 | -1>>;
type Walk = {
  filter: object;
  order: KeyOrder;
  /** The fields to read; the fields of the order are added. */
  projection?: Document;
  pageSize: number;
  /** The driver's conversion of stored values, if it differs from the default. */
  values?: BSONSerializeOptions;
};

/** A document that exists throughout and keeps its position in the order is read once. */
export async function* readInPages<Doc extends Document, Read extends Document = WithId<Doc>>(
  collection: Collection<Doc>,
  { filter, order, projection, pageSize, values }: Walk,
): AsyncGenerator<Read> {
  const fields = Object.fromEntries(Object.keys(order).map((field) => [field, 1]));
  const projectionOption = projection ? { projection: { ...projection, ...fields } } : {};
  for (let last: Document | null = null; ; ) {
    const pageFilter: object = last ? { $and: [filter, toFilterAfter(order, last)] } : filter;
    const page: Read[] = await collection
      .find<Read>(asFilter<Doc>(pageFilter), { ...values, ...projectionOption, batchSize: pageSize })
      .sort(order)
      .limit(pageSize)
      .toArray();
    yield* page;
    if (page.length < pageSize) return;
    last = lastItem(page);
  }
}

/** Filters the documents after this one. An index can only use the bound on the first field. */
function toFilterAfter(order: KeyOrder, last: Document): Document {
  const fields = Object.keys(order);
  const toBound = (field: string) => ({ [field]: { [order[field] === 1 ? "$gt" : "$lt"]: last[field] } });
  const [first, ...others] = fields;
  if (first === undefined) throw new Error("Pages need an order");
  if (others.length === 0) return toBound(first);
  const branches = fields.map((field, index) => ({
    ...Object.fromEntries(fields.slice(0, index).map((equalField) => [equalField, last[equalField]])),
    ...toBound(field),
  }));
  return { [first]: { [order[first] === 1 ? "$gte" : "$lte"]: last[first] }, $or: branches };
}
