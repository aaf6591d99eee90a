import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "#platform/metrics/metrics.ts";

type DelayWindow = ReturnType<typeof monitorEventLoopDelay>;

const RESOLUTION_MS = 20;
const WINDOW_MS = 30_000;
const NS_PER_SECOND = 1e9;

/**
 * Reports in `/metrics` how long the event loop was blocked, which is how long every request waited. Each figure covers the current
 * window and the one before, so it is about the last half to whole minute, however often it is read.
 */
export function measureEventLoop(metrics: Metrics): { close(): void } {
  let windows: [now: DelayWindow, before: DelayWindow] = [openWindow(), openWindow()];
  const turn = setInterval(() => {
    windows[1].disable();
    windows = [openWindow(), windows[0]];
  }, WINDOW_MS).unref();
  const worst = (read: (window: DelayWindow) => number) => Math.max(...windows.map(read)) / NS_PER_SECOND;
  // What is measured is the time between two ticks of a timer, its own interval included.
  const late = (seconds: number) => Math.max(0, seconds - RESOLUTION_MS / 1000);
  metrics.gauge("nodejs_eventloop_lag_max_seconds", {}, () => late(worst(({ max }) => max)));
  metrics.gauge("nodejs_eventloop_lag_p99_seconds", {}, () => late(worst((window) => window.percentile(99))));
  return {
    close() {
      clearInterval(turn);
      for (const window of windows) window.disable();
    },
  };
}

function openWindow(): DelayWindow {
  const window = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  window.enable();
  return window;
}
