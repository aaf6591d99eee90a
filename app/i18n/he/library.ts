import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/library.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const dashboard: typeof english.dashboard = {
  title: "לוח הבקרה",
  hello: (name: string) => `שלום, ${isolate(name)}`,
  recent: "הקבצים החדשים ביותר",
  all: (count: number) => (count === 1 ? "קובץ אחד בסך הכול" : `לכל ${amount(count)} הקבצים`),
  emptyTitle: "המדף שלכם ריק",
  empty: "כדי להתחיל, שמרו קובץ ראשון: בחרו קבצים מהמחשב, או הדביקו קטע קוד ותנו לו שם.",
  emptyAction: "שמירת קובץ ראשון",
};

export const files: typeof english.files = {
  title: "קבצים",
  emptyTitle: "אין עדיין קבצים",
  empty: "קבצים שתשמרו יופיעו כאן, מהחדש לישן.",
  ofLanguage: "(קבצים)",
  noneMatchTitle: "אין קובץ מתאים",
  noneMatch: "הסירו את הסינון כדי לראות את כל מה ששמור אצלכם.",
  removeFilter: (name: string) => `הסרת הסינון ${isolate(name)}`,
  pages: "עמודים",
  next: "לעמוד הבא",
  first: "לעמוד הראשון",
  newest: "מהחדש לישן",
  oldest: "מהישן לחדש",
  cursorDamaged: "הקישור לעמוד היה פגום; זה העמוד הראשון.",
};

export const file: typeof english.file = {
  version: (n: number) => `גרסה ${n}`,
  blank: "הקובץ הזה ריק",
  lines: (n: number) => (n === 1 ? "שורה אחת" : `${amount(n)} שורות`),
  download: "הורדה",
  copy: "העתקה",
  copied: "הועתק",
  copyFailed: "ההעתקה נכשלה",
  bidiControls: "בקובץ הזה יש תווים בלתי נראים שמשנים את סדר הצגת הטקסט. כאן הם מוצגים בשמם: קראו בזהירות.",
  tooLarge: "הקובץ גדול מכדי להציגו כאן. אפשר להוריד אותו.",
  plain: {
    too_long: "מוצג ללא צבעים: הטקסט ארוך.",
    too_nested: "מוצג ללא צבעים: הקינון בטקסט עמוק מדי.",
    too_slow: "מוצג ללא צבעים: צביעת הטקסט הזה נמשכת זמן רב מדי.",
    too_large: "מוצג ללא צבעים: הטקסט הצבוע היה גדול מדי.",
    failed: "מוצג ללא צבעים: לא ניתן היה לצבוע את הטקסט הזה.",
    busy: "מוצג ללא צבעים: השרת עמוס. טענו את הדף שוב בעוד רגע.",
  },
  tags: "תגיות",
  code: "קוד",
};

export const viewers: typeof english.viewers = {
  views: "תצוגות",
  source: "מקור",
  preview: "תצוגה מקדימה",
  frame: (name: string) => `תצוגה מקדימה של ${isolateLtr(name)}`,
  frameNote: "מוצג בלי סקריפטים, בלי טפסים ובלי דבר מאתרים אחרים.",
  contents: "תוכן העניינים",
  drawing: (name: string) => `ציור: ${isolateLtr(name)}`,
  background: "רקע",
  backgrounds: { checkered: "משבצות", light: "בהיר", dark: "כהה" },
  blockedImage: "תמונה שאינה מוצגת",
  externalImage: "תמונה מאתר אחר, לא נטענה",
  footnoteBack: "חזרה לטקסט",
  done: "בוצע",
  open: "לא בוצע",
  rows: (shown: number, all: number) => `מוצגות ${amount(shown)} השורות הראשונות מתוך ${amount(all)}.`,
  columns: (shown: number, all: number) => `מוצגות ${amount(shown)} העמודות הראשונות מתוך ${amount(all)}.`,
  table: "טבלה",
  notRendered: {
    too_large: "הקובץ גדול מדי לתצוגה מקדימה, ולכן מוצג המקור.",
    too_deep: "הקינון עמוק מדי לתצוגה מקדימה, ולכן מוצג המקור.",
    too_slow: "הכנת התצוגה המקדימה נמשכה זמן רב מדי, ולכן מוצג המקור.",
    nothing_to_draw: "אין בקובץ הזה מה לצייר, ולכן מוצג המקור.",
    failed: "לא ניתן היה להכין תצוגה מקדימה, ולכן מוצג המקור.",
    busy: "השרת עמוס, ולכן מוצג המקור. טענו את הדף שוב בעוד רגע.",
    not_json: "זה אינו JSON תקין, ולכן מוצג המקור.",
  },
};

export const finding: typeof english.finding = {
  search: "חיפוש",
  looking: (needle: string) => `״${isolate(needle)}״`,
  categories: {
    recent: "נפתחו לאחרונה",
    favorites: "מועדפים",
    pinned: "נעוצים",
    repo: "ממאגרים",
    large: "קבצים גדולים",
    other: "שלא ממאגר",
  },
  clear: "הסרת כל הסינונים",
  narrow: "שפות ותגיות",
  languages: "שפות",
  tags: "תגיות",
  repos: "מאגרים",
  previous: "לעמוד הקודם",
  noHitTitle: (needle: string) => `אין קובץ שיש בו ״${isolate(needle)}״`,
  noHit: "החיפוש עבר על שמות, תיאורים, תגיות ותוכן. נסו פחות אותיות או כתיב אחר.",
  everywhere: "חיפוש בכל הקבצים",
  notYetTitle: "עדיין לא נמצא דבר",
  notYet: "יש עוד קבצים לעבור עליהם. המשיכו לעמוד הבא.",
  noneYet: "אין כאן עדיין כלום",
  noneOf: {
    recent: "קבצים שתפתחו יופיעו כאן, האחרון ראשון.",
    favorites: "קבצים שתסמנו כמועדפים יופיעו כאן.",
    pinned: "קבצים שתנעצו יופיעו כאן.",
    repo: "קבצים שהגיעו ממאגר יופיעו כאן.",
    large: "קבצים בגודל 100 KiB ומעלה יופיעו כאן.",
    other: "קבצים שלא הגיעו ממאגר יופיעו כאן.",
  },
  all: "הצגת כל הקבצים",
};
