import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/imports.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const imports: typeof english.imports = {
  head: "ייבוא",
  lead: "מוסיף את מה שבקובץ zip שיוצא. שום דבר שיש לכם אינו משתנה, וייבוא חוזר של אותו קובץ אינו מוסיף דבר.",
  field: "קובץ zip לייבוא",
  hint: (max) => `עד ${max}. לפני הייבוא תראו מה יתווסף.`,
  check: "בדיקת הקובץ",
  madeAt: "יוצא",
  kinds: {
    files: "קבצים",
    versions: "גרסאות",
    boards: "לוחות",
    notes: "פתקים",
    reminders: "תזכורות",
  },
  columns: { what: "מה", willAdd: "יתווספו", added: "נוספו", here: "כבר כאן", left: "מחוץ לייבוא" },
  leftWhy: "מחוץ לייבוא: פריטים שאין להם מקום כאן, פריטים שהקובץ או הלוח שלהם חסר, ופריטים שזמנם באשפה תם.",
  renamed: counted(
    "לקובץ אחד יש שם שכבר תפוס כאן. יתווסף מספר אחרי שמו.",
    "קבצים נושאים שמות שכבר תפוסים כאן. יתווסף מספר אחרי שמם.",
  ),

  underWay: { waiting: "ממתין להתחלה", checking: "הקובץ נבדק", importing: "הייבוא מתבצע" },
  waitingFor: {
    worker: "אין תהליך רקע פעיל. הייבוא יתחיל כשיחזור אחד כזה.",
    turn: "הייבוא יתחיל כשתהליך רקע יתפנה.",
    switched_off: "הייבוא כובה בידי מנהל המערכת.",
  },
  progress: (kind, processed, total) =>
    `${isolate(kind)} · ${amount(processed)}${total === null ? "" : ` מתוך ${amount(total)}`}`,
  reading: "הקובץ נקרא",
  leave: "אפשר לעזוב את הדף. הייבוא ממשיך והתוצאה תוצג כאן.",
  cancel: "ביטול הייבוא",
  cancelling: "הייבוא מתבטל…",

  planHead: "מוכן לייבוא",
  settings: "השפה, אזור הזמן, המקשים וההנחיות לסוכנים יילקחו היכן שלא בחרתם דבר.",
  nothing: "כל מה שבקובץ הזה כבר נמצא כאן. אין מה לייבא.",
  start: "ייבוא עכשיו",
  discard: "לא לייבא",
  close: "סגירה",
  viewFiles: "הצגת הקבצים",

  ended: {
    done: "הייבוא הסתיים",
    refused: "אי אפשר לייבא את הקובץ הזה",
    failed: "הייבוא נכשל",
    cancelled: "הייבוא בוטל",
  },
  nothingImported: "שום דבר לא יובא.",
  continues: "מה שנוסף נשאר. ייבוא חוזר של אותו קובץ יוסיף את השאר.",
  failures: {
    too_long: "הייבוא נמשך זמן רב מדי ונעצר.",
    library_full: "אין לזה מקום בספרייה. רוקנו את סל המיחזור וייבאו את הקובץ שוב.",
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
