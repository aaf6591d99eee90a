import type * as english from "#app/i18n/en/runs.ts";

export const runs = {
  title: "הרצות",
  runVersion: (version: number) => `הרצת גרסה ${version}`,
  keep: "שמירת הפלט",
  keepTitle: "פלטים של הרצות",
  keepOn: "שמירה",
  keepOff: "ללא שמירה",
  kept: "פלטים שמורים",
  barred: {
    premium: "להפעלת הרצה יש לפנות למנהל המערכת.",
    disabled: "הרצת קוד כבויה בשרת הזה.",
    too_large: "הקובץ גדול מדי להרצה. המגבלה היא \u206650 KiB\u2069.",
  },
  unkeptFull: "לא נשמר: הספרייה מלאה.",
  unkept: "לא נשמר",
  keeping: (days: number, count: number) =>
    `${count} הפלטים האחרונים של כל קובץ נשמרים ${days} יום. רק אתם רואים אותם.`,
  keepingNot: "פלטים אינם נשמרים.",
  forget: "מחיקת הפלטים",
  stopKeeping: "הפסקת שמירת הפלטים",
  keepAgain: "שמירת פלטים",
} satisfies typeof english.runs;
