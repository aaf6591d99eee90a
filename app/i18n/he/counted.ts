import { amount } from "#app/i18n/amount.ts";

/** So many of something: one is told in words, and two where Hebrew has a form of their own for them. */
export const counted = (one: string, many: string, two?: string) => (count: number) =>
  count === 1 ? one : count === 2 && two ? two : `${amount(count)} ${many}`;
