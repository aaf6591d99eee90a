import type * as english from "#app/i18n/en/runs.ts";

export const runs = {
  title: "הרצות",
  runVersion: (version: number) => `הרצת גרסה ${version}`,
  keep: "לשמור את התוצאה",
  keepTitle: "תוצאות של הרצות",
  keepOn: "לשמור",
  keepOff: "לא לשמור",
  kept: "תוצאות של הרצות",
  barred: {
    premium: "הרצת Python דורשת חשבון פרימיום.",
    disabled: "הרצת קוד כבויה בשרת הזה.",
    too_large: "הקובץ גדול מדי להרצה: עד \u206650 KiB\u2069 של Python.",
  },
  unkeptFull: "לא נשמר: הספרייה מלאה. הפלט ייעלם ביציאה מהדף.",
  unkept: "התוצאה הזאת לא נשמרת: היא תיעלם כשתעזבו את העמוד.",
  keeping: (days: number, count: number) =>
    `תוצאות של הרצת קובץ Python נשמרות ${days} יום, ${count} האחרונות של כל קובץ. רק אתם רואים אותן.`,
  keepingNot: "תוצאות לא נשמרות אלא אם תבקשו.",
  forget: "מחיקת התוצאות האלה",
  stopKeeping: "להפסיק לשמור תוצאות",
  keepAgain: "לחזור לשמור תוצאות",
} satisfies typeof english.runs;
