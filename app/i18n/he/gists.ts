import type * as english from "#app/i18n/en/gists.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const gists: typeof english.gists = {
  title: "ייבוא Gists",
  lead: "כל Gist הופך לתיקייה. ‏Gist של קובץ אחד נשמר בתיקייה Gists.",
  url: "כתובת של Gist",
  urlHint: `למשל ${isolateLtr("https://gist.github.com/name/0123abcd")}`,
  file: "קובץ JSON",
  json: "או הדבקת JSON",
  jsonHint: `הפלט של ${isolateLtr("gh api gists/<id>")}. עד 8 MiB.`,
  start: "ייבוא",
  saved: counted("יובא קובץ אחד", "קבצים יובאו"),
  unchanged: counted("קובץ אחד כבר היה כאן", "קבצים כבר היו כאן"),
  skipped: counted("דולג קובץ אחד:", "קבצים דולגו:"),
  gaps: {
    truncated: "GitHub שלח רק חלק ממנו.",
    no_content: "אין ב־JSON טקסט שלו. ייבאו את ה־Gist שלו לבדו.",
  },
};
