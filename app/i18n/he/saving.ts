import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/saving.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const upload: typeof english.upload = {
  title: "קובץ חדש",
  lead: `שמירה בשם קיים יוצרת גרסה חדשה. נתיב כמו ${isolateLtr("tools/first.py")} יוצר את התיקייה.`,
  chooseFiles: "העלאת קבצים",
  importZip: "ייבוא ה־zip",
  invalidPath: "השתמשו בעד 255 תווים רגילים לשם הקובץ ולכל תיקייה בנתיב שלו.",
  chooseHint: "טקסט ב־UTF-8, עד \u20662 MiB\u2069 לקובץ, או zip אחד של קוד.",
  orPaste: "או הדבקת קוד",
  about: "פרטים",
  fileName: "שם הקובץ",
  nameExists: "כבר קיים כאן. שמירה תיצור גרסה {version} שלו.",
  nameTaken: "כבר קיים כאן. יש לבחור שם אחר.",
  text: "תוכן",
  language: "שפה",
  detect: "זיהוי אוטומטי",
  details: {
    description: { label: "תיאור" },
    tags: { label: "תגיות", hint: "מופרדות בפסיקים." },
  },
  save: "שמירה",
  saved: (name: string, version: number) =>
    version === 1 ? `נשמר: ${isolateLtr(name)}` : `נשמר כגרסה ${version} של ${isolateLtr(name)}`,
  noChanges: "אין שינויים לשמירה",
  notSaved: "אלה לא נשמרו:",
  savedMany: (count: number) => `נשמרו ${amount(count)} קבצים`,
};

export const drafts: typeof english.drafts = {
  found: "יש לכם טיוטה שלא נשמרה.",
  use: "שחזור",
  drop: "מחיקה",
};

export const dropped: typeof english.dropped = {
  drop: "שחררו כאן כדי להעלות",
  saving: "שמירה…",
  unsaved: "הקבצים לא הועלו. שמרו קודם את הטקסט, או גררו אותם לעמוד אחר.",
  chosen: "קבצים להעלאה",
  save: "העלאה",
  chooseOne: "בחירת קובץ",
  chooseMany: "בחירת קבצים",
  chosenNone: "לא נבחר קובץ",
  hint: "אפשר גם לגרור או להדביק קבצים לכאן.",
  words: {
    unsent: "ההעלאה נכשלה. הקבצים עדיין כאן; נסו שוב.",
    unreadable: "לא ניתן לקריאה. אי אפשר להעלות תיקיות.",
    wrong: "הסירו את הקבצים השגויים ואז העלו.",
    loggedOut: "החיבור הסתיים. היכנסו בלשונית אחרת ושמרו שוב.",
    remove: "הסרה",
    otherOne: "העלאת הקובץ האחר",
    others: "העלאת {count} הקבצים האחרים",
  },
};

export const editor: typeof english.editor = {
  plain: "עורך פשוט",
  preview: "תצוגה מקדימה",
  tooLarge: "הטקסט גדול מדי לשמירה. המגבלה היא \u20662 MiB\u2069. אפשר לקצר אותו או לפצל אותו לכמה קבצים.",
  keys: "Tab מוסיף הזחה. כדי לצאת: Esc ואז Tab. חיפוש: Ctrl+F.",
  phrases: {
    Find: "חיפוש",
    Replace: "החלפה",
    next: "הבא",
    previous: "הקודם",
    all: "הכול",
    "match case": "הבחנה בין אותיות גדולות לקטנות",
    regexp: "ביטוי רגולרי",
    "by word": "מילים שלמות",
    replace: "החלפה",
    "replace all": "החלפת הכול",
    close: "סגירה",
    "current match": "ההתאמה הנוכחית",
    "on line": "בשורה",
    "replaced match on line $": "הוחלפה ההתאמה בשורה $",
    "replaced $ matches": "הוחלפו $ התאמות",
    "Go to line": "מעבר לשורה",
    go: "מעבר",
    "Control character": "תו בקרה",
    "Selection deleted": "הבחירה נמחקה",
  },
};
