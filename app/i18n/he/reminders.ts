import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/reminders.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const reminders: typeof english.reminders = {
  title: "תזכורות",
  bell: (count) =>
    count === 0 ? "תזכורות" : count === 1 ? "תזכורות: אחת הגיע זמנה" : `תזכורות: ${amount(count)} הגיע זמנן`,
  due: "הגיע זמנן",
  upcoming: "בהמשך",
  done: "בוצעו",
  noneTitle: "אין תזכורות",
  none: "אפשר לקבוע תזכורת בפתק או בקובץ.",
  noneDue: "אין תזכורות שהגיע זמנן.",
  all: "כל התזכורות",
  untitled: "פתק ריק",
  on: (place) => `ב־${isolate(place)}`,
  open: "פתיחת הפתק",
  markDone: "בוצע",
  snooze: "דחייה",
  remove: "הסרה",
  change: "שינוי",
  otherTime: "מועד אחר",
  today: (time) => `היום בשעה ${time}`,
  tomorrow: (time) => `מחר בשעה ${time}`,
  yesterday: (time) => `אתמול בשעה ${time}`,
  onDay: (day, time) => `${day} בשעה ${time}`,
  inMinutes: (minutes) => (minutes === 60 ? "בעוד שעה" : `בעוד ${minutes} דקות`),
  toNotes: "הצגת הפתקים",
  presets: {
    "1h": "בעוד שעה",
    "3h": "בעוד 3 שעות",
    "24h": "בעוד 24 שעות",
    "1w": "בעוד שבוע",
    "today-21": "הערב",
    "tomorrow-09": "מחר בבוקר",
  },
  tomorrowEvening: "מחר בערב",
  set: "קביעת תזכורת",
  comesTo: (devices) =>
    devices === 0
      ? "כשיגיע הזמן, התזכורת תופיע בפעמון ובעמוד התזכורות."
      : `כשיגיע הזמן, תישלח התראה ${devices === 1 ? "למכשיר שלך" : `ל־${amount(devices)} המכשירים שלך`}, והתזכורת תופיע בפעמון.`,
  setFor: (time) => `תזכורת: ${time}`,
  wasDue: (time) => `הגיע זמנה ${time}`,
  doneAt: (time) => `בוצעה ${time}`,
  chosenTime: "תאריך ושעה",
  zone: "אזור זמן",
  zoneHint: "לדוגמה, Asia/Jerusalem.",
  setChosen: "קביעה",
  yourZone: (zone) => `אזור זמן: ${isolateLtr(zone)}`,
  saveZone: "שמירת אזור הזמן",
  said: {
    set: (time) => `התזכורת נקבעה: ${time}`,
    done: () => "בוצע",
    removed: () => "התזכורת הוסרה",
    zoned: () => "אזור הזמן נשמר",
  },
  undo: "ביטול",
};
