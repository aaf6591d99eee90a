import type { reading as english } from "#app/i18n/en/reading.ts";

export const reading: typeof english = {
  title: "תצוגת הקוד",
  hint: "ערכת הצבעים ותצוגת הקוד חלות רק על הדפדפן הזה.",
  wrapLines: "שבירת שורות ארוכות",
  scrollLines: "ללא שבירת שורות",
  names: {
    code_wrap: "שורות ארוכות",
    code_size: "גודל הקוד",
    tab_width: "רוחב טאב",
    code_light: "צבעי הקוד, בהיר",
    code_dark: "צבעי הקוד, כהה",
  },
  values: {
    code_wrap: { auto: "אוטומטי", off: "גלילה", on: "שבירה" },
    code_size: { small: "קטן", normal: "רגיל", large: "גדול", larger: "גדול מאוד" },
    tab_width: { "2": "2", "4": "4", "8": "8" },
    code_light: { standard: "רגיל", blue: "כחול", green: "ירוק" },
    code_dark: { standard: "רגיל", blue: "כחול", orange: "כתום" },
  },
};
