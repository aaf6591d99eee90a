import { amount } from "#app/i18n/amount.ts";
import { writeDuration } from "#app/i18n/duration.ts";
import type * as english from "#app/i18n/en/tools.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const tools: typeof english.tools = {
  title: "כלי קוד",
  code: "קוד",
  language: "שפה",
  run: "הרצה",
  timeout: "מגבלת זמן (שניות)",
  format: "עיצוב",
  check: "בדיקה",
  save: "שמירה כקובץ",
  result: "תוצאה",
  nothingYet: "התוצאות יופיעו כאן.",
  runPremium: "כדי להריץ קוד יש לבקש ממנהל המערכת חשבון פרימיום. עיצוב ובדיקה פתוחים לכולם.",
  runDisabled: "הרצת קוד כבויה בשרת הזה.",
  runLimits: (seconds: number, memoryMb: number, codeKib: number) =>
    `מגבלות ההרצה: ‏${seconds} שנ׳, \u2066${memoryMb} MB\u2069 זיכרון, \u2066${codeKib} KiB\u2069 קוד. ללא רשת וקבצים.`,
  runKey: "להרצה: \u2066Ctrl+Enter\u2069.",
  toolLimits: (kib: number) => `מגבלות עיצוב ובדיקה: \u2066${kib} KiB\u2069, ‏10 שנ׳.`,
  tooLarge: (bytes: number) => `הקוד גדול מדי. המגבלה היא \u2066${bytes / 1024} KiB\u2069.`,
  place: (line: number, column: number) => `שורה ${line}, עמודה ${column}:`,
  ranWell: "הסתיימה",
  ranBadly: (exitCode: number) => `נכשלה (קוד יציאה ${exitCode})`,
  stdout: "פלט",
  stderr: "שגיאות",
  noOutput: "אין פלט",
  truncated: "הפלט ארוך מדי ונחתך.",
  took: (ms: number) => writeDuration("he", ms),
  granted: (seconds: number, memoryMb: number) => `מגבלות: ${seconds} שנ׳, ${isolateLtr(`${memoryMb} MB`)}`,
  memoryUsed: (mb: number) => `${isolateLtr(`${amount(mb)} MB`)} בשימוש`,
  firstRun: "ההרצה הראשונה אורכת יותר.",
  available: "מה תוכניות יכולות לייבא",
  availablePython: "Python: קבצים מאותה תיקייה, והמודולים האלה מהספרייה הסטנדרטית.",
  availableScripts: "JavaScript ו־TypeScript: קבצים מאותה תיקייה. אין חבילות, אין מודולים של Node ואין רשת.",
  noIssues: "לא נמצאו בעיות",
  issues: counted("בעיה אחת", "בעיות"),
  firstIssues: (shown: number) => `מוצגות ${amount(shown)} הראשונות בלבד.`,
  severities: { error: "שגיאה", warning: "אזהרה" },
  inOrder: (tool: string) => `הקוד כבר מעוצב (\u2066${tool}\u2069)`,
  formatted: (tool: string) => `עוצב באמצעות \u2066${tool}\u2069`,
  take: "שימוש בקוד המעוצב",
  changes: "שינויים",
  open: "כלי קוד",
  stopped: {
    timed_out: (seconds: number) => `נעצרה אחרי ${seconds} שנ׳`,
    out_of_memory: (memoryMb: number) => `נגמר הזיכרון (מגבלה: ${isolateLtr(`${memoryMb} MB`)})`,
    stopped: "נעצרה",
    crashed: "התוכנית קרסה",
  },
};
