import type * as english from "#app/i18n/en/tools.ts";
import { counted } from "#app/i18n/he/counted.ts";

export const tools: typeof english.tools = {
  title: "כלי קוד",
  code: "קוד",
  language: "שפה",
  run: "הרצה",
  timeout: "שניות",
  format: "עיצוב",
  check: "בדיקה",
  save: "שמירה כקובץ",
  result: "תוצאה",
  nothingYet: "התוצאה תופיע כאן.",
  runPremium: "הרצת Python דורשת חשבון פרימיום; עיצוב ובדיקה פתוחים לכולם.",
  runDisabled: "הרצת קוד כבויה בשרת הזה.",
  runLimits: (seconds: number, memoryMb: number, codeKib: number) =>
    `תוכנית Python יכולה לרוץ עד ${seconds} שניות עם \u2066${memoryMb} MB\u2069 זיכרון ועד \u2066${codeKib} KiB\u2069 קוד, בלי רשת ובלי קבצים.`,
  runKey: "\u2066Ctrl+Enter\u2069 מריץ.",
  toolLimits: (kib: number) => `עיצוב ובדיקה מקבלים עד \u2066${kib} KiB\u2069 ונעצרים אחרי 10 שניות.`,
  tooLarge: (bytes: number) => `זה יותר מדי קוד: עד \u2066${bytes / 1024} KiB\u2069.`,
  place: (line: number, column: number) => `שורה ${line}, עמודה ${column}:`,
  ranWell: "התוכנית רצה עד סופה.",
  ranBadly: (exitCode: number) => `התוכנית הסתיימה בקוד יציאה ${exitCode}.`,
  stdout: "פלט",
  stderr: "שגיאות",
  noOutput: "כלום",
  truncated: "היה יותר פלט ממה שנשמר; השאר הושמט.",
  took: (ms: number) => `נמשכה ${ms} אלפיות שנייה.`,
  granted: (seconds: number, memoryMb: number) =>
    `עמדו לרשותה ${seconds} שניות ו־\u2066${memoryMb} MB\u2069.`,
  memoryUsed: (mb: number) =>
    mb === 0
      ? "היא לא נזקקה לזיכרון מעבר לזה של Python."
      : `היא נזקקה ל־\u2066${mb} MB\u2069 של זיכרון מעבר לזה של Python.`,
  running: "התוכנית רצה…",
  firstRun: "ההרצה הראשונה אחרי הפעלה מכינה את Python ונמשכת יותר.",
  noIssues: "אין הערות.",
  issues: counted("הערה אחת", "הערות"),
  severities: { error: "שגיאה", warning: "אזהרה" },
  inOrder: (tool: string) => `הקוד כבר מסודר (\u2066${tool}\u2069).`,
  formatted: (tool: string) => `סודר בעזרת \u2066${tool}\u2069.`,
  take: "שימוש בקוד המעוצב",
  changes: "שינויים",
  open: "כלי קוד",
};
