import { amount } from "#app/i18n/amount.ts";

export const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${amount(count)} ${many}`;
