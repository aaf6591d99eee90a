import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/imports.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const imports: typeof english.imports = {
  head: "ייבוא",
  lead: "מוסיף את מה שחסר מקובץ zip שיוצא. פריטים קיימים אינם משתנים.",
  field: "קובץ zip",
  hint: (max) => `עד ${max}. אפשר לבדוק לפני הייבוא.`,
  check: "בדיקת הקובץ",
  madeAt: "יוצא",
  kinds: {
    files: "קבצים",
    versions: "גרסאות",
    boards: "לוחות",
    notes: "פתקים",
    reminders: "תזכורות",
  },
  columns: { what: "סוג", willAdd: "יתווספו", added: "נוספו", here: "קיימים", left: "ידולגו" },
  leftWhy: "ידולגו: אין מקום, הקובץ או הלוח חסר, או שפג זמנם באשפה.",
  renamed: counted("שם אחד תפוס; יתווסף לו מספר.", "שמות תפוסים; יתווסף להם מספר."),

  underWay: { waiting: "ממתין להתחלה", checking: "בבדיקה", importing: "בייבוא" },
  waitingFor: {
    worker: "אין תהליך רקע פעיל. הייבוא יתחיל כשיחזור אחד.",
    turn: "הייבוא יתחיל כשתהליך רקע יתפנה.",
    switched_off: "הייבוא כובה בידי מנהל המערכת.",
  },
  progress: (kind, processed, total) =>
    `${isolate(kind)} · ${amount(processed)}${total === null ? "" : ` מתוך ${amount(total)}`}`,
  reading: "קריאת הקובץ",
  leave: "אפשר לעזוב את הדף.",
  cancel: "ביטול הייבוא",
  cancelling: "הייבוא מתבטל…",

  planHead: "מוכן לייבוא",
  settings: "ההגדרות שלכם נשמרות; חסרות מתווספות.",
  nothing: "כל מה שבקובץ כבר נמצא בספרייה שלכם.",
  start: "ייבוא",
  discard: "ביטול",
  close: "סגירה",
  viewFiles: "הצגת הקבצים",

  ended: {
    done: "הייבוא הסתיים",
    refused: "אי אפשר לייבא את הקובץ הזה",
    failed: "הייבוא נכשל",
    cancelled: "הייבוא בוטל",
  },
  nothingImported: "שום דבר לא יובא.",
  continues: "מה שנוסף נשאר. ייבוא חוזר יוסיף את השאר.",
  failures: {
    too_long: "הייבוא נמשך זמן רב מדי.",
    library_full: "הספרייה מלאה. רוקנו את האשפה וייבאו שוב.",
    worker_lost: "תהליך הרקע נעצר כמה פעמים בזמן קריאת הקובץ.",
    zip_gone: "הקובץ כבר אינו שמור. בחרו אותו שוב.",
    fault: "משהו השתבש. נסו שוב מאוחר יותר.",
  },
  where: (entry, record, field) =>
    [
      isolateLtr(entry),
      ...(record === undefined ? [] : [`רשומה ${amount(record)}`]),
      ...(field === undefined ? [] : [`שדה ${isolateLtr(field)}`]),
    ].join(", "),
  damages: {
    not_a_zip: "זה אינו קובץ zip, או שהוא חלקי.",
    too_many_entries: "יש בו יותר פריטים משיכולים להיות בייצוא.",
    unknown_path: "יש בו פריט שאינו קיים בשום ייצוא.",
    not_a_file: "יש בו פריט שאינו קובץ רגיל.",
    unreadable: "יש בו פריט מוצפן או ארוז בדרך לא מוכרת.",
    too_large: "יש בו פריט גדול מדי.",
    duplicate: "יש בו פריט שמופיע פעמיים.",
    overlapping: "הפריטים שבו חופפים זה לזה.",
    bomb: "הוא נפרש להרבה יותר מגודלו.",
    damaged_entry: "יש בו פריט פגום.",
    missing: "חסר בו פריט.",
    not_json: "יש בו פריט שאינו JSON תקין.",
    not_a_list: "יש בו פריט שאינו רשימה של רשומות.",
    too_deep: "יש בו רשומה מקוננת עמוק מדי.",
    invalid_record: "יש בו רשומה לא תקינה.",
    too_many_records: "יש בו יותר רשומות משיכולות להיות בייצוא.",
    duplicate_record: "יש בו רשומה שמופיעה פעמיים.",
    text_used_twice: "שתי גרסאות משתמשות באותו טקסט.",
    unclaimed: "יש בו טקסט שאינו שייך לשום רשומה.",
    not_a_text: "יש בו פריט שאינו טקסט.",
    too_costly: "קריאתו דורשת יותר זיכרון או זמן ממה שמותר לייבוא.",
  },
};
