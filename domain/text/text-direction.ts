const RTL = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const READ_MAX = 500;

/** Returns the direction of the first letter, for elements whose texts each have their own direction. */
export function detectDirection(text: string): "rtl" | "ltr" {
  return RTL.test(text.slice(0, READ_MAX)) ? "rtl" : "ltr";
}
