import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/operators.ts";
import { counted } from "#app/i18n/he/counted.ts";

export const operators: typeof english.operators = {
  title: "ניהול",
  nav: { overview: "מבט כללי", observability: "ניטור", indexes: "אינדקסים" },
  unknown: "לא ידוע",
  healthHead: "מצב המערכת",
  gauges: {
    workers: "תהליכי רקע פעילים",
    waiting: "משימות ממתינות",
    oldest: "המשימה הוותיקה בתור",
    running: "משימות פעילות",
    indexes: "אינדקסים",
    alerts: "התרעות ב־24 שעות",
  },
  noWorker: "אין תהליך רקע פעיל. משימות ותזכורות ממתינות.",
  noneWaiting: "אין",
  since: "מאז",
  placesHead: "דפים",
  places: {
    jobs: "משימות רקע וההרצות שלהן.",
    queues: "משימות שממתינות לתהליך רקע.",
    observability: "התרעות, זמני תגובה, שגיאות ואירועים.",
    indexes: "האינדקסים של מסד הנתונים ומצבם.",
    announcements: "הודעה לכולם.",
    people: "תפקידים, גישה ונעילה.",
  },
  queues: "תורים",
  queuesQuiet: "כל התורים ריקים.",
  waiting: "ממתינות",
  active: "פעילות",
  oldest: "המשימה הוותיקה בתור",
  workers: "תהליכי רקע",
  worker: "תהליך",
  workersNone: "לא היו תהליכי רקע ב־24 השעות האחרונות.",
  started: "עלה",
  heard: "נראה לאחרונה",
  alive: "פעיל",
  silent: "לא מגיב",
  state: "מצב",
  isolation: {
    title: "ארגז חול",
    lead: "כיצד תוכניות ו־git מבודדים בכל תהליך רקע.",
    holds: "פועל",
    missing: "חסר",
    none: "אין",
    untold: "טרם דווח",
    layers: {
      limits: "הגבלות זיכרון, קבצים ותהליכונים",
      user: "משתמש נפרד לכל תוכנית",
      network: "ללא רשת",
      privileges: "ללא הרחבת הרשאות",
      processes: "תהליכים אחרים מוסתרים",
      files: "קבצים אחרים מוסתרים",
      syscalls: "קריאות מערכת מסוכנות חסומות",
      git: "‏git רואה רק את השיקוף שלו",
    },
  },
  sortBy: (column) => `מיון לפי ${column}`,

  indexes: {
    title: "אינדקסים",
    lead: "בלי אינדקס השאילתות איטיות; בלי אינדקס תפוגה שום דבר לא נמחק במועד.",
    complete: counted("אינדקס אחד, קיים", "אינדקסים, כולם קיימים"),
    wrong: counted("אינדקס אחד חסר או שונה", "אינדקסים חסרים או שונים"),
    unchecked: counted("אינדקס אחד לא נבדק", "אינדקסים לא נבדקו"),
    build: "בניית האינדקסים החסרים",
    buildHint: "אינדקסים שונים מוחלפים. אינדקס גדול עשוי להיבנות זמן רב; טענו מחדש כדי לבדוק.",
    built: (built, failed) =>
      failed === 0
        ? built === 0
          ? "אין מה לבנות"
          : counted("אינדקס אחד נבנה", "אינדקסים נבנו")(built)
        : `${counted("אינדקס אחד נבנה", "אינדקסים נבנו")(built)}, ${amount(failed)} נכשלו. הסיבה באירועים.`,
    binHead: "תפוגת האשפה",
    binStates: {
      present: "קבצים שפג תוקפם נמחקים אוטומטית.",
      missing: "חסר אינדקס תפוגה. קבצים באשפה אינם נמחקים.",
      different: "אינדקס תפוגה שונה מהנדרש. ייתכן שקבצים באשפה אינם נמחקים.",
      unchecked: "לא ניתן לבדוק את אינדקסי התפוגה.",
    },
    overdue: "קבצים שמועד מחיקתם עבר",
    overdueUnknown: "לא ידוע",
    binRepair: "כדי להשלים תאריך חסר לקבצים באשפה: \u2066npm run recycle-backfill\u2069.",
    collection: counted("אינדקס אחד", "אינדקסים"),
    noIndexes: "ללא אינדקסים",
    index: "אינדקס",
    key: "מפתח",
    options: "אפשרויות",
    unique: "ייחודי",
    expires: (seconds) =>
      seconds === 0 ? "פג בתאריך שלו" : `פג אחרי ${(seconds / 86_400).toLocaleString("he")} ימים`,
    partial: "חלקי",
    others: "לא בשימוש בגרסה הזאת:",
    states: {
      present: "קיים",
      missing: "חסר",
      different: "שונה",
      unchecked: "לא נבדק",
    },
  },
};
