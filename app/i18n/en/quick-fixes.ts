import type { QuickFixId } from "#domain/alerts/quick-fixes.ts";

export const quickFixes: Record<QuickFixId, string> = {
  retry_job: "Run job again",
  rebuild_indexes: "Rebuild indexes",
  open_jobs: "Open jobs",
  open_indexes: "Check indexes",
  open_replay: "Show events",
  open_runbook: "Open runbook",
};
