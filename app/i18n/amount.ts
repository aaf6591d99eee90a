// English and Hebrew separate thousands in the same way.
const format = new Intl.NumberFormat("en");

export function amount(count: number): string {
  return format.format(count);
}
