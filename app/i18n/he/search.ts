import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/search.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const search: typeof english.search = {
  title: "חיפוש",
  titleFor: (q: string) => `חיפוש: ${isolate(q)}`,
  button: "חיפוש",
  kinds: "סוגי תוצאות",
  all: "הכול",
  tabs: { files: "קבצים", notes: "פתקים", repos: "מאגרים" },
  /** An exact total, an estimate by the index, and a lower bound. */
  count: {
    exact: amount,
    at_most: (count: number) => `בערך ${amount(count)}`,
    at_least: (count: number) => `${amount(count)}+`,
  },
  results: "תוצאות",
  without: (word: string) => `בלי ${isolate(word)}`,
  moreLines: (count: number) => (count === 1 ? "עוד שורה אחת" : `עוד ${amount(count)} שורות`),
  allLines: (count: number) => `לכל ${amount(count)} השורות בקובץ`,
  note: "פתק",
  edited: "נערך",
  narrowTo: (name: string) => `רק ${isolate(name)}`,
  help: "צמצום החיפוש",
  helps: {
    lang: "קבצים בשפה מסוימת",
    tag: "קבצים עם תגית",
    in: "רק קבצים, פתקים או מאגרים",
    path: "חלק מנתיב",
    without: "בלי מילה מסוימת; ‎-lang:py‎ – בלי שפה מסוימת",
    quotes: "טקסט מדויק",
  },
  startTitle: "כל מה שבספרייה שלכם",
  start: "חפשו בשמות קבצים, בקוד, בפתקים ובמאגרים.",
  unknownLanguages: (names) => `אין שפה בשם ${names}.`,
  unknownKind: (name) =>
    `אחרי ${isolateLtr("in:")} אפשר לכתוב files, notes או repos, ולא ${isolate(name)}. לחיפוש בתיקייה: ${isolate(`path:${name}/`)}.`,
  noHit: "בדקו את הכתיב או נסו פחות מילים.",
  didYouMean: "האם התכוונתם ל:",
  dropFilters: "חיפוש בלי מסננים",
  lastPage: "אין תוצאות נוספות. הוסיפו מילה כדי לצמצם את החיפוש.",
};
