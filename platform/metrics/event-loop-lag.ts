import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "#platform/metrics/metrics.ts";

type DelayWindow = ReturnType<typeof monitorEventLoopDelay>;

const RESOLUTION_MS = 20;
const WINDOW_MS = 30_000;
const NS_PER_SECOND = 1e9;

/**
 * Reports in `/metrics` how long the event loop was blocked, which delays every request. Each value covers the current window
 * and the one before, so it describes the last 30 to 60 seconds however often it is read.
 */
export function measureEventLoop(metrics: Metrics): { close(): void } {
  let windows: [current: DelayWindow, previous: DelayWindow] = [openWindow(), openWindow()];
  const rotation = setInterval(() => {
    windows[1].disable();
    windows = [openWindow(), windows[0]];
  }, WINDOW_MS).unref();
  const worst = (read: (window: DelayWindow) => number) => Math.max(...windows.map(read)) / NS_PER_SECOND;
  // The monitor measures the time between two timer ticks, including the timer's own interval.
  const toDelay = (seconds: number) => Math.max(0, seconds - RESOLUTION_MS / 1000);
  metrics.gauge("nodejs_eventloop_lag_max_seconds", {}, () => toDelay(worst(({ max }) => max)));
  metrics.gauge("nodejs_eventloop_lag_p99_seconds", {}, () =>
    toDelay(worst((window) => window.percentile(99))),
  );
  return {
    close() {
      clearInterval(rotation);
      for (const window of windows) window.disable();
    },
  };
}

function openWindow(): DelayWindow {
  const window = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  window.enable();
  return window;
}
