const RTL = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LOOKED_AT_CHARACTERS = 500;

/** The direction of a text's first letter, for what holds texts that each have a direction of their own. */
export function detectDirection(text: string): "rtl" | "ltr" {
  return RTL.test(text.slice(0, LOOKED_AT_CHARACTERS)) ? "rtl" : "ltr";
}
