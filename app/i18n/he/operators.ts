import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/operators.ts";
import { counted } from "#app/i18n/he/counted.ts";

export const operators: typeof english.operators = {
  title: "ניהול",
  nav: { overview: "מבט כללי", observability: "ניטור", indexes: "אינדקסים" },
  unknown: "לא ניתן היה לבדוק",
  healthHead: "מצב המערכת",
  gauges: {
    workers: "תהליכי רקע פעילים",
    waiting: "משימות ממתינות",
    oldest: "המשימה הממתינה הוותיקה",
    running: "משימות בביצוע",
    indexes: "אינדקסים",
    alerts: "התראות ב־24 שעות",
  },
  noWorker: "אין תהליך רקע פעיל: מה שבתור אינו מתבצע, ותזכורות אינן נשלחות.",
  noneWaiting: "אין",
  since: "מאז",
  placesHead: "דפים",
  places: {
    jobs: "מה שרץ מעצמו, הריצות והיומנים שלהן.",
    queues: "מה ממתין לתהליך רקע, וכמה זמן.",
    observability: "התראות, זמני תגובה, שגיאות, ומה קרה מתי.",
    indexes: "האם יש במסד הנתונים את מה שהשאילתות וסל המיחזור נשענים עליו.",
    announcements: "שורה שכולם רואים מתחת לסרגל.",
    people: "תפקידים וסיום התחברויות.",
  },
  queues: "תורים",
  queuesQuiet: "דבר אינו ממתין ודבר אינו בביצוע.",
  waiting: "ממתינות",
  active: "בביצוע",
  oldest: "הממתינה הוותיקה",
  workers: "תהליכי רקע",
  worker: "תהליך",
  workersNone: "ביממה האחרונה לא נשמע אף תהליך רקע.",
  started: "עלה",
  heard: "נשמע לאחרונה",
  alive: "פעיל",
  silent: "שותק",
  state: "מצב",
  isolation: {
    title: "מה מגביל תוכניות",
    lead: "תוכניות ו־git רצים בנפרד מכל השאר במחשב של תהליך הרקע. מה שהמחשב אינו יכול לתת – חסר.",
    holds: "פועל",
    missing: "חסר",
    none: "כלום",
    untold: "טרם דווח",
    layers: {
      limits: "הגבלות על זיכרון, קבצים ותהליכונים",
      user: "משתמש נפרד לכל תוכנית",
      network: "ללא רשת",
      privileges: "אין דרך להרשאות נוספות",
      processes: "תהליכים אחרים אינם נראים",
      files: "נראים רק הקבצים של התוכנית",
      syscalls: "קריאות מערכת מסוכנות נדחות",
      git: "git רואה רק את העותק שלו",
    },
  },
  sortBy: (column) => `מיון לפי ${column}`,

  indexes: {
    title: "אינדקסים",
    lead: "מה כל אוסף צריך, ומה יש במסד הנתונים. בלי אינדקס השאילתות שלו עדיין עונות, רק לאט; בלי אינדקס תפוגה דבר אינו נמחק מעצמו.",
    complete: counted("אינדקס אחד, קיים כנדרש.", "אינדקסים, כולם קיימים כנדרש."),
    wrong: counted("אינדקס אחד אינו כנדרש.", "אינדקסים אינם כנדרש."),
    unchecked: counted(
      "אינדקס אחד לא ניתן היה לבדוק. אין פירוש הדבר שהוא חסר.",
      "אינדקסים לא ניתן היה לבדוק. אין פירוש הדבר שהם חסרים.",
    ),
    build: "בניית החסרים",
    buildHint:
      "אינדקסים שונים מהנדרש מוחלפים. בנייה של אינדקס גדול עשויה להימשך יותר מהדף הזה; כדאי לבדוק שוב, או להריץ את שלב השחרור, שאין לו מגבלת זמן.",
    built: (built, failed) =>
      failed === 0
        ? built === 0
          ? "לא היה מה לבנות."
          : counted("אינדקס אחד נבנה.", "אינדקסים נבנו.")(built)
        : `${counted("אינדקס אחד נבנה", "אינדקסים נבנו")(built)}, ${amount(failed)} לא נבנו. הסיבה רשומה באירועים.`,
    binHead: "תפוגת סל המיחזור",
    binStates: {
      present: "האינדקסים שמרוקנים את הסל קיימים.",
      missing: "חסר אינדקס שמרוקן את הסל. קבצים בסל אינם נמחקים בתאריך שלהם.",
      different: "אינדקס שמרוקן את הסל שונה מהנדרש. ייתכן שקבצים בסל אינם נמחקים בתאריך שלהם.",
      unchecked: "לא ניתן היה לבדוק אם הסל מתרוקן מעצמו.",
    },
    overdue: "קבצים שתאריכם עבר",
    overdueUnknown: "לא ידוע",
    binRepair: "קבצים בסל שמעולם לא קיבלו תאריך מתוקנים בפקודה \u2066npm run recycle-backfill\u2069.",
    collection: counted("אינדקס אחד", "אינדקסים"),
    noIndexes: "אינו צריך אינדקס משלו",
    index: "אינדקס",
    key: "מפתח",
    options: "אפשרויות",
    unique: "ייחודי",
    expires: (seconds) =>
      seconds === 0 ? "פג בתאריך שלו" : `פג אחרי ${(seconds / 86_400).toLocaleString("he")} ימים`,
    partial: "חלקי",
    others: "קיימים ואינם נדרשים בגרסה הזאת:",
    states: {
      present: "קיים",
      missing: "חסר",
      different: "שונה",
      unchecked: "לא נבדק",
    },
  },
};
