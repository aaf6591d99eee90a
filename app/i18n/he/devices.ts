import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/devices.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const devices: typeof english.devices = {
  title: "התראות",
  lead: "התזכורות מגיעות אל המכשירים הרשומים כאן, גם כש־Codeshelf סגור.",
  here: "המכשיר הזה",
  needsScript: "כדי להפעיל התראות במכשיר, פתחו בו את העמוד הזה כש־JavaScript מותר.",
  notConfigured: "בשרת הזה אין מפתחות לשליחת התראות. התזכורות עדיין מופיעות בפעמון.",
  states: {
    off: "ההתראות כבויות בדפדפן הזה.",
    on: "הדפדפן הזה מקבל את התזכורות שלכם.",
    denied: "הדפדפן חוסם התראות מ־Codeshelf. אפשרו אותן בהגדרות האתר שליד הכתובת, ופתחו שוב את העמוד הזה.",
    unsupported: "הדפדפן הזה אינו יכול לקבל התראות. התזכורות עדיין מופיעות בפעמון שבכל עמוד.",
    iosTab:
      "באייפון ובאייפד ההתראות פועלות אחרי ש־Codeshelf נמצא במסך הבית: הקישו על שיתוף, אחר כך על הוספה למסך הבית, ופתחו משם.",
    insecure: "התראות דורשות כתובת מאובטחת (https).",
    failed: "זה לא הצליח. נסו שוב בעוד רגע.",
    working: "רק רגע…",
  },
  turnOn: "הפעלת התראות כאן",
  turnOff: "כיבוי כאן",
  all: "מכשירים רשומים",
  none: "עוד לא נרשם אף מכשיר.",
  kind: (browser: string, system: string) => `${browser} ב־${system}`,
  browsers: {
    edge: "Edge",
    opera: "Opera",
    samsung: "Samsung Internet",
    firefox: "Firefox",
    chrome: "Chrome",
    safari: "Safari",
    other: "דפדפן",
  },
  systems: {
    android: "Android",
    ios: "אייפון או אייפד",
    windows: "Windows",
    macos: "macOS",
    linux: "Linux",
    other: "מכשיר",
  },
  thisOne: "המכשיר הזה",
  code: "קוד",
  added: "נוסף",
  reached: "הושג לאחרונה",
  neverReached: "עוד לא",
  failing: "לא ניתן להשיג",
  remove: "הסרה",
  removeOf: (device: string) => `הסרת ${isolate(device)}`,
  removeAll: "הסרת כל המכשירים",
  removeAllSure: (count: number) => (count === 1 ? "הסרת מכשיר אחד" : `הסרת ${amount(count)} מכשירים`),
  cleanup: "הסרת מכשירים שלא היו בשימוש 30 יום",
  testTitle: "ניסיון",
  testLead: "נשלחת התראה אל כל המכשירים שברשימה.",
  testWorker: "שליחת בדיקה",
  testLocal: "שליחה ישירה משרת הווב",
  testWhich: "תזכורות נשלחות בדרך הראשונה. השנייה עוזרת לגלות איזה חלק אינו תקין.",
  removedMany: (count: number) =>
    count === 0 ? "לא הוסר אף מכשיר." : count === 1 ? "הוסר מכשיר אחד." : `הוסרו ${amount(count)} מכשירים.`,
  tested: (sent: number, errors: number) =>
    [
      sent === 0
        ? "הבדיקה לא הגיעה לאף מכשיר."
        : sent === 1
          ? "הבדיקה נשלחה אל מכשיר אחד."
          : `הבדיקה נשלחה אל ${sent} מכשירים.`,
      errors === 0 ? "" : errors === 1 ? "מכשיר אחד לא קיבל אותה." : `${errors} מכשירים לא קיבלו אותה.`,
    ]
      .filter(Boolean)
      .join(" "),
};
