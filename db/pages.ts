/**
 * Reads a query to its end, a page at a time, each from where the last one ended. No cursor stays open between pages, so a walk may take
 * as long as it likes and goes on after an election; no page takes long, however much there is.
 */

import type { BSONSerializeOptions, Collection, Document, WithId } from "mongodb";
import { asFilter } from "#db/driver/driver-types.ts";
import { lastItem } from "#domain/required.ts";

/** An order in which no two matching documents are equal, best one that an index has. */
export type KeyOrder = Readonly<Record<string, 1 | -1>>;
type Walk = {
  filter: object;
  order: KeyOrder;
  /** What is read of each document; the fields of the order come with it. */
  projection?: Document;
  pageSize: number;
  /** How the driver turns stored values into ours, where it is not as usual. */
  values?: BSONSerializeOptions;
};

/** A document that is there all the while, and keeps its place in the order, is met once. */
export async function* readInPages<Doc extends Document, Read extends Document = WithId<Doc>>(
  collection: Collection<Doc>,
  { filter, order, projection, pageSize, values }: Walk,
): AsyncGenerator<Read> {
  const fields = Object.fromEntries(Object.keys(order).map((field) => [field, 1]));
  const shown = projection ? { projection: { ...projection, ...fields } } : {};
  for (let last: Document | null = null; ; ) {
    const onward: object = last ? { $and: [filter, toFilterAfter(order, last)] } : filter;
    const page: Read[] = await collection
      .find<Read>(asFilter<Doc>(onward), { ...values, ...shown, batchSize: pageSize })
      .sort(order)
      .limit(pageSize)
      .toArray();
    yield* page;
    if (page.length < pageSize) return;
    last = lastItem(page);
  }
}

/** What comes after a document. The bound on the first field alone is what an index is entered by. */
function toFilterAfter(order: KeyOrder, last: Document): Document {
  const fields = Object.keys(order);
  const beyond = (field: string) => ({ [field]: { [order[field] === 1 ? "$gt" : "$lt"]: last[field] } });
  const [first, ...others] = fields;
  if (first === undefined) throw new Error("Pages need an order");
  if (others.length === 0) return beyond(first);
  const branches = fields.map((field, at) => ({
    ...Object.fromEntries(fields.slice(0, at).map((before) => [before, last[before]])),
    ...beyond(field),
  }));
  return { [first]: { [order[first] === 1 ? "$gte" : "$lte"]: last[first] }, $or: branches };
}
