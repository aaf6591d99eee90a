import type * as english from "#app/i18n/en/repo-refusals.ts";

export const repoRefusals: Record<keyof typeof english.repoRefusals, string> = {
  repo_not_found: "אין מאגר בשם הזה.",
  repo_path_not_found: "אין במאגר קובץ או תיקייה כאלה.",
  repo_not_synced: "הסנכרון הראשון לא הסתיים. נסו שוב בעוד רגע.",
  repo_url_not_allowed:
    "הזינו כתובת https://‎ של מאגר, בלי שם משתמש, סיסמה או שאילתה. אי אפשר לשקף תיקייה מקומית או כתובת SSH.",
  repo_url_not_public: "הכתובת הזאת אינה ציבורית. הזינו כתובת של מאגר בשרת ציבורי.",
  invalid_repo_name: "הזינו שם בצורה owner/name: אותיות, ספרות, נקודות, מקפים וקווים תחתונים.",
  invalid_repo_token: "הזינו אסימון של עד 500 תווים, ללא רווחים.",
  repo_syncing: "סנכרון מתבצע כעת. נסו שוב בעוד רגע.",
  repo_name_taken: "כבר יש מאגר בשם הזה.",
  repo_limit: "יש לכם 20 מאגרים, המספר המרבי. הסירו אחד קודם.",
  repo_import_empty: "אין כאן קובצי טקסט לייבוא.",
  repo_import_too_large: "יותר מדי קבצים: המגבלה היא 2,000 קבצים ו־20 MiB. בחרו תיקייה קטנה יותר.",
  repo_not_analysed: "עוד לא נותח.",
  webhook_not_configured: "‏Webhooks אינם מוגדרים בשרת הזה.",
  invalid_webhook_signature: "החתימה של ה־webhook שגויה.",
  codehost_not_configured: "השרת הזה אינו מחובר לשירות אחסון הקוד הזה.",
  codehost_token_missing: "הוסיפו את המאגר שוב, עם אסימון שמותר לו לכתוב.",
  codehost_session_required: "היכנסו כדי להשתמש באסימון של השרת, או הוסיפו את המאגר עם אסימון משלו.",
  codehost_rate_limited: "יותר מדי בקשות לשירות אחסון הקוד. נסו שוב מאוחר יותר.",
  codehost_denied: "שירות אחסון הקוד דחה את האסימון.",
  codehost_not_found: "אין מאגר או ענף כזה בשירות אחסון הקוד.",
  codehost_conflict: "הקובץ השתנה בשירות אחסון הקוד. סנכרנו ונסו שוב.",
  codehost_rejected: "שירות אחסון הקוד דחה את הנתיב או את התוכן.",
  codehost_timeout: "שירות אחסון הקוד לא ענה בזמן. נסו שוב.",
  codehost_failed: "אין גישה לשירות אחסון הקוד. נסו שוב מאוחר יותר.",
};

export const syncErrors: Record<keyof typeof english.syncErrors, string> = {
  git_missing: "‏git אינו מותקן בשרת. פנו למנהל המערכת.",
  git_too_old: "גרסת git בשרת ישנה מדי. פנו למנהל המערכת.",
  address_refused: "הכתובת מובילה לרשת פרטית.",
  unreachable: "אין גישה לשרת המארח.",
  certificate_untrusted: "האישור (certificate) של המארח אינו מהימן.",
  remote_not_found: "אין מאגר בכתובת הזאת, או שהוא פרטי.",
  access_denied: "המארח דורש אסימון, או דחה את זה שנמסר.",
  moved: "המאגר עבר. הזינו את הכתובת החדשה.",
  timed_out: "הסנכרון נמשך זמן רב מדי.",
  too_large: "המאגר גדול מדי.",
  too_many_files: "יש במאגר יותר מדי קבצים.",
  mirrors_full: "אין עוד מקום למאגרים. הסירו אחד קודם.",
  token_unreadable: "אי אפשר לקרוא את האסימון. הזינו אותו שוב.",
  git_failed: "‏git לא הצליח להעתיק את המאגר.",
};

export const suggestions: Record<keyof typeof english.suggestions, string> = {
  add_readme: "הוסיפו README.",
  add_licence: "הוסיפו רישיון.",
  add_tests: "הוסיפו בדיקות; לא נמצאו כאלה.",
  add_ci: "הגדירו אינטגרציה רציפה; לא נמצאה כזאת.",
  add_ignore_file: "הוסיפו קובץ ⁦.gitignore⁩.",
  lock_dependencies: "הוסיפו את קובץ הנעילה של התלויות.",
  keep_large_files_out: "הסירו קבצים מעל 5 MB; הם מאטים כל העתקה.",
  split_large_files: "פצלו קובצי קוד מעל 200 KB.",
  remove_secrets: "הסירו קבצים שבדרך כלל מכילים סודות.",
};
