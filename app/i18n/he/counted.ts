import { amount } from "#app/i18n/amount.ts";

/** A number of things: one is written in words, and so is two where Hebrew has a form for two. */
export const counted = (one: string, many: string, two?: string) => (count: number) =>
  count === 1 ? one : count === 2 && two ? two : `${amount(count)} ${many}`;
