import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/saving.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const upload: typeof english.upload = {
  title: "שמירת קבצים",
  lead: "שמירה בשם שכבר קיים אצלכם משאירה את הטקסט הישן כגרסה קודמת.",
  chooseFiles: "קבצים מהמחשב",
  chooseHint: "אפשר כמה בבת אחת; טקסט ב־UTF-8, עד 2 MiB לקובץ.",
  orPaste: "או הדבקת טקסט",
  about: "פרטים",
  fileName: "שם הקובץ",
  text: "טקסט",
  language: "שפה",
  detect: "זיהוי אוטומטי",
  description: "תיאור",
  tags: "תגיות",
  tagsHint: "מופרדות בפסיקים.",
  save: "שמירה",
  saved: (name: string, version: number) =>
    version === 1 ? `נשמר: ${isolateLtr(name)}` : `נשמר: ${isolateLtr(name)}, גרסה ${version}`,
  savedMany: (count: number) => `נשמרו ${amount(count)} קבצים`,
};

export const dropped: typeof english.dropped = {
  drop: "שחררו קבצים כדי לשמור אותם",
  chosen: "מה שיישמר",
  chooseOne: "בחירת קובץ",
  chooseMany: "בחירת קבצים",
  chosenNone: "לא נבחר קובץ",
  hint: "אפשר גם לגרור או להדביק אותם לכאן.",
  words: {
    unsent: "השליחה לא הצליחה. דבר לא אבד: נסו שוב בעוד רגע.",
    unreadable: "לא ניתן לקרוא את זה. אי אפשר לשמור תיקיות.",
    wrong: "הסירו את הקבצים שאי אפשר לשמור, ואז שמרו את השאר.",
    loggedOut: "החיבור שלכם הסתיים. היכנסו בלשונית אחרת ושמרו שוב: דבר לא אבד.",
    remove: "הסרה",
  },
};

export const editor: typeof english.editor = {
  plain: "שדה טקסט פשוט",
  keys: "Tab מזיח. Escape ואחריו Tab יוצאים מהשדה. Ctrl+F מחפש בו.",
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
