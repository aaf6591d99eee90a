/**
 * The orderly end of a process. The first SIGINT, SIGTERM, SIGHUP or loss of the parent's channel aborts `signal` and runs the
 * deferred closers, newest first, so that nothing is closed before its users. A failing closer does not stop the others. The
 * process then exits, at the latest after the deadline.
 */

type ShutdownLog = {
  info(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
};

type Closer = { name: string; close: () => unknown };

export type Shutdown = {
  /** Aborted when stopping begins; loops and waits end on it. */
  signal: AbortSignal;
  /** Registers a closer that runs before all closers registered earlier. */
  defer(name: string, close: () => unknown): void;
  /** Begins to stop. The first call decides reason and exit code. */
  begin(reason: string, exitCode?: number): void;
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function openShutdown({ deadlineMs, log }: { deadlineMs: number; log: ShutdownLog }): Shutdown {
  const controller = new AbortController();
  const closers: Closer[] = [];

  async function stop(reason: string, exitCode: number) {
    log.info("stopping", { reason });
    const deadline = setTimeout(() => {
      log.error("stop_deadline_passed", { deadlineMs, waitingFor: closers.at(-1)?.name });
      process.exit(1);
    }, deadlineMs);
    const failures = await closeAll(closers, log);
    clearTimeout(deadline);
    log.info("stopped", { reason });
    process.exit(failures > 0 ? 1 : exitCode);
  }

  const beginStop = (reason: string, exitCode = 0) => {
    if (controller.signal.aborted) return;
    controller.abort(new Error(`Stopping: ${reason}`));
    void stop(reason, exitCode);
  };

  for (const signal of SIGNALS) process.on(signal, () => beginStop(signal));
  if (process.channel) process.once("disconnect", () => beginStop("disconnect"));
  return {
    signal: controller.signal,
    defer: (name, close) => void closers.push({ name, close }),
    begin: beginStop,
  };
}

/** The running closer stays last in the list, so that the deadline's log can name it. */
async function closeAll(closers: Closer[], log: ShutdownLog): Promise<number> {
  let failures = 0;
  for (let closer = closers.at(-1); closer; closer = closers.at(-1)) {
    try {
      await closer.close();
    } catch (error) {
      failures += 1;
      log.error("close_failed", { name: closer.name, error: String(error) });
    }
    closers.splice(closers.indexOf(closer), 1);
  }
  return failures;
}
