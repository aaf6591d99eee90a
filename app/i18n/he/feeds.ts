import type * as english from "#app/i18n/en/feeds.ts";

export const feeds: typeof english.feeds = {
  title: "תזכורות ביומן",
  name: "התזכורות מ־Codeshelf",
  lead: "התזכורות שלכם ביומן או בקורא עדכונים. כל מי שמכיר את הכתובת יכול לקרוא אותן, לכן שמרו אותה לעצמכם.",
  make: "יצירת כתובת",
  made: "כתובת חדשה",
  once: "העתיקו עכשיו. הכתובת לא תוצג שוב, וכתובת קודמת כבר אינה פועלת.",
  calendar: "יומן (ICS)",
  calendarHint: "הוסיפו אותה ליומן כמינוי לפי כתובת.",
  subscribe: "פתיחה ביומן",
  reader: "קורא עדכונים (Atom)",
  readerHint: "תזכורות מופיעות כשמגיע זמנן.",
  yours: "הכתובת שלכם",
  madeOn: "נוצרה",
  lastRead: "שימוש אחרון",
  never: "אף פעם",
  again: "אי אפשר להציג שוב את הכתובת. יצירת כתובת חדשה תבטל את הישנה.",
  renew: "יצירת כתובת חדשה",
  revoke: "הסרת הכתובת",
  revoked: "הכתובת הוסרה",
};
