import type { QuickFixId } from "#domain/alerts/quick-fixes.ts";

export const quickFixes: Record<QuickFixId, string> = {
  retry_job: "הרצת המשימה מחדש",
  rebuild_indexes: "בנייה מחדש של האינדקסים",
  open_jobs: "פתיחת המשימות",
  open_indexes: "בדיקת האינדקסים",
  open_replay: "הצגת האירועים",
  open_runbook: "פתיחת ספר ההפעלה",
};
