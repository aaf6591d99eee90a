import type { Refusal } from "#domain/refusal.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

type Page = { next_cursor: string | null };

/** Reads every page of a list, each from the end of the previous one; `between` runs after each page. */
export async function readPages<P extends Page>(
  read: (cursor: string | undefined) => Promise<P | Refusal>,
  between: (page: P, number: number) => Promise<unknown> = async () => {},
): Promise<P[]> {
  const pages: P[] = [];
  let cursor: string | undefined;
  do {
    const page = orThrow(await read(cursor)) as P;
    pages.push(page);
    await between(page, pages.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}
