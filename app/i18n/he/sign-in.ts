import type * as english from "#app/i18n/en/sign-in.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const signIn: typeof english.signIn = {
  title: "כניסה ואבטחה",
  lead: "דרכי הכניסה שלכם, וכל מה שיש לו גישה לחשבון.",
  methods: "דרכי כניסה",
  kinds: { messenger: "מסנג׳ר", oidc: "ספק הזדהות", passkey: "מפתח גישה" },
  local: "המחשב הזה",
  onlyOne: "כדי להסיר את הדרך הזו, קודם צריך להוסיף אחרת.",
  remove: "הסרה",
  removeOf: (name) => `הסרה: ${isolate(name)}`,
  add: (provider) => `הוספת ${isolate(provider)}`,
  added: "נוסף",
  done: { joined: "דרך כניסה נוספה", parted: "דרך כניסה הוסרה" },
  passkeys: {
    name: "שם למפתח הגישה",
    nameExample: "המחשב בעבודה",
    add: "הוספת מפתח גישה",
    logIn: "כניסה עם מפתח גישה",
    choose: "מפתחות הגישה שלכם",
    chooseHint: "בחירת השדה מציגה את מפתחות הגישה שבמכשיר.",
    needsScript: "למפתחות גישה צריך JavaScript. היכנסו בדרך אחרת.",
    unsupported: "הדפדפן הזה אינו תומך במפתחות גישה. היכנסו בדרך אחרת.",
    failed: "לא נעשה שימוש במפתח גישה. נסו שוב, או היכנסו בדרך אחרת.",
    known: "במכשיר הזה כבר יש מפתח גישה לחשבון.",
  },
  ask: "בקשה להצטרף",
  askHint: "מנהל המערכת יראה את השם ואת דרך הכניסה.",
  asked: "הבקשה נשלחה. אחרי שמנהל יאשר אותה, אפשר להיכנס שוב.",
  invited: "הוזמנתם. היכנסו כדי לפתוח את החשבון.",
  with: (provider) => `כניסה דרך ${isolate(provider)}`,
};
