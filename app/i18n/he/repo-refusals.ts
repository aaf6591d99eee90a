import type * as english from "#app/i18n/en/repo-refusals.ts";

export const repoRefusals: Record<keyof typeof english.repoRefusals, string> = {
  repo_not_found: "אין לכם מאגר משוקף בשם הזה.",
  repo_path_not_found: "אין בעותק המשוקף קובץ או תיקייה כאלה.",
  repo_not_synced: "המאגר עדיין לא הועתק. נסו שוב בעוד רגע.",
  repo_url_not_allowed:
    "אי אפשר לשקף את הכתובת הזאת. היא צריכה להתחיל ב־https://‎, להיות נגישה מהרשת הציבורית, ובלי שם משתמש, סיסמה או שאילתה.",
  invalid_repo_name: "שם של מאגר נראה כך: owner/name, עם אותיות, ספרות, נקודות, מקפים וקווים תחתונים.",
  invalid_repo_token: "אסימון הוא מילה אחת באורך 500 תווים לכל היותר.",
  repo_name_taken: "כבר יש לכם מאגר משוקף בשם הזה.",
  repo_limit: "כבר יש לכם 20 מאגרים משוקפים. הפסיקו אחד מהם קודם.",
  repo_import_empty: "אין כאן קובצי טקסט לייבוא.",
  repo_import_too_large: "אפשר לייבא בפעם אחת עד 2,000 קבצים ועד 20 MiB. בחרו תיקייה קטנה יותר.",
  repo_not_analysed: "המאגר הזה עדיין לא נותח.",
  webhook_not_configured: "השרת הזה אינו מקבל הודעות דחיפה ממאגרים.",
  invalid_webhook_signature: "החתימה של ההודעה שגויה.",
  codehost_not_configured: "השרת הזה אינו מחובר לשירות האחסון של המאגר.",
  codehost_token_missing: "כדי לשלוח לשם קבצים, שקפו את המאגר עם אסימון שמותר לו לכתוב.",
  codehost_session_required: "האסימון של ההתקנה משמש רק מדפדפן שנכנסו בו. שקפו את המאגר עם אסימון משלו.",
  codehost_rate_limited: "שירות האחסון אינו מקבל כרגע בקשות נוספות. נסו שוב מאוחר יותר.",
  codehost_denied: "שירות האחסון אינו מקבל את האסימון.",
  codehost_not_found: "אין בשירות האחסון מאגר או ענף כזה.",
  codehost_conflict: "הקובץ השתנה בינתיים בשירות האחסון. סנכרנו ונסו שוב.",
  codehost_rejected: "שירות האחסון אינו מקבל את הנתיב או את הטקסט.",
  codehost_timeout: "שירות האחסון לא ענה בזמן.",
  codehost_failed: "לא ניתן היה לפנות לשירות האחסון.",
};

export const syncErrors: Record<keyof typeof english.syncErrors, string> = {
  git_missing: "בשרת שמעתיק מאגרים לא מותקן git. על המפעיל להתקין אותו.",
  git_too_old: "גרסת git בשרת ישנה מכדי להעתיק מאגרים בבטחה.",
  address_refused: "הכתובת מובילה לרשת פרטית.",
  unreachable: "לא ניתן היה לפנות לשרת המארח.",
  certificate_untrusted: "השרת הזה אינו סומך על האישור (certificate) של המארח.",
  remote_not_found: "אין מאגר בכתובת הזאת, או שהוא פרטי.",
  access_denied: "השרת המארח דורש אסימון, או שאינו מקבל את זה שנמסר.",
  moved: "המאגר עבר למקום אחר. שקפו את הכתובת החדשה.",
  timed_out: "ההעתקה נמשכה יותר מדי זמן.",
  too_large: "המאגר גדול מכדי לשקף אותו כאן.",
  too_many_files: "במאגר יש יותר קבצים משאפשר לשקף כאן.",
  mirrors_full: "כל העותקים שלכם יחד הגיעו למגבלה. הסירו אחד מהם תחילה.",
  token_unreadable: "אי אפשר עוד לקרוא את האסימון. הפסיקו את השיקוף והוסיפו אותו מחדש.",
  git_failed: "git לא הצליח להעתיק את המאגר.",
};

export const suggestions: Record<keyof typeof english.suggestions, string> = {
  add_readme: "הוסיפו README שמספר מה זה.",
  add_licence: "הוסיפו רישיון, כדי שאחרים ידעו מה מותר להם.",
  add_tests: "לא נמצאו בדיקות.",
  add_ci: "לא נמצאה אינטגרציה רציפה.",
  add_ignore_file: "הוסיפו קובץ ‎.gitignore למאגר.",
  lock_dependencies: "הוסיפו למאגר את קובץ הנעילה של התלויות.",
  keep_large_files_out: "קבצים של יותר מ־5 MB מאטים כל העתקה.",
  split_large_files: "יש קובצי קוד של יותר מ־200 KB.",
  remove_secrets: "יש קבצים שבדרך כלל מכילים סודות.",
};
