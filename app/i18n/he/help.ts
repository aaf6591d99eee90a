import type * as english from "#app/i18n/en/help.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const help: typeof english.help = {
  title: "עזרה",
  topics: {
    find: {
      title: "חיפוש קובץ או פתק",
      text: `מקלידים בחיפוש חלק משם, תגית או שורת קוד. ${isolateLtr("lang:")}, ${isolateLtr("tag:")} או ${isolateLtr("path:")} מצמצמים את התוצאות.`,
      link: "חיפוש",
    },
    notes: {
      title: "פתק על שורה",
      text: "פותחים קובץ, לוחצים על מספר שורה ובוחרים ״הוספת פתק״. הפתק נשאר עם השורות שלו גם כשהקובץ משתנה.",
      link: "פתקים",
    },
    reminders: {
      title: "תזכורת",
      text: "בוחרים ״תזכורת״ בקובץ או בפתק וקובעים זמן. הפעמון מציג את מה שהגיע זמנו, וגם מכשירים שהופעלו בהם התראות מקבלים אותו.",
      link: "התראות",
    },
    sharing: {
      title: "שיתוף קובץ או תיקייה",
      text: "בוחרים ״שיתוף״ כדי ליצור קישור שפתוח לכולם. אפשר לקבוע לקישור סיסמה ויום אחרון, ולבטל אותו בכל רגע.",
      link: "קישורים",
    },
    running: {
      title: "הרצת קוד",
      text: `פותחים קובץ ${isolateLtr("Python")}, ${isolateLtr("JavaScript")} או ${isolateLtr("TypeScript")} ובוחרים ״הרצה״. אפשר גם לנסות קוד בלי לשמור אותו.`,
      link: "כלי קוד",
    },
  },
};
