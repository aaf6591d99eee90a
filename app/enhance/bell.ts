// Without it the bell counts what was due when the page was rendered; with it the count follows reminders as they fall due.

type BellAnswer = { count: number; nextInSeconds: number | null } | "failed" | "stop";

export const CEILING_SECONDS = 30 * 60;
const FIRST_RETRY_SECONDS = 30;

/**
 * Returns the seconds until the next check: the server's answer up to the ceiling, or a doubling delay after failures. Null ends the
 * checks.
 */
export function computeSleepSeconds(received: BellAnswer, failures: number): number | null {
  if (received === "stop") return null;
  if (received === "failed") return Math.min(FIRST_RETRY_SECONDS * 2 ** (failures - 1), CEILING_SECONDS);
  return Math.min(Math.max(received.nextInSeconds ?? CEILING_SECONDS, 1), CEILING_SECONDS);
}

export function enhanceBell(): void {
  const bell = document.querySelector<HTMLElement>("[data-bell]");
  if (!bell) return;
  let failures = 0;
  let wakeAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = async () => {
    const received = await fetchSummary();
    failures = received === "failed" ? failures + 1 : 0;
    if (typeof received === "object") showCount(bell, received.count);
    const seconds = computeSleepSeconds(received, failures);
    wakeAt = seconds === null ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
    scheduleCheck();
  };
  /** A hidden tab does not check; it catches up when it is shown again. */
  function scheduleCheck() {
    clearTimeout(timer);
    if (document.hidden || wakeAt === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(check, Math.max(0, wakeAt - Date.now()));
  }
  document.addEventListener("visibilitychange", scheduleCheck);
  // Behaviours that change a reminder in place announce it.
  document.addEventListener("reminder:changed", () => {
    wakeAt = 0;
    scheduleCheck();
  });
  scheduleCheck();
}

const GIVE_UP = [401, 403];

async function fetchSummary(): Promise<BellAnswer> {
  try {
    const answer = await fetch("/api/sticky-notes/reminders/summary", {
      headers: { Accept: "application/json" },
    });
    if (GIVE_UP.includes(answer.status)) return "stop";
    if (!answer.ok) return "failed";
    const { count_due, next_in_seconds } = await answer.json();
    return { count: count_due, nextInSeconds: next_in_seconds };
  } catch {
    return "failed";
  }
}

const COUNTED_MAX = 99;

function showCount(bell: HTMLElement, count: number): void {
  const badge = bell.querySelector<HTMLElement>(".badge");
  if (!badge) return;
  const { bellNone = "", bellOne = "", bellMany = "" } = bell.dataset;
  bell.dataset.bell = String(count);
  badge.hidden = count === 0;
  badge.textContent = count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
  const words = count === 0 ? bellNone : count === 1 ? bellOne : bellMany;
  bell.setAttribute("aria-label", words.replace(String(COUNTED_MAX), String(count)));
}
