import { amount } from "#app/i18n/amount.ts";

/** Writes a number of things: one in words, and two in words if Hebrew has a dual form. */
export const counted = (one: string, many: string, two?: string) => (count: number) =>
  count === 1 ? one : count === 2 && two ? two : `${amount(count)} ${many}`;
