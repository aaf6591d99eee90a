import { floorTo } from "#domain/events/time-window.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type Window = { minute: number; passed: number; suppressed: number };

/** Decides if an event is stored; `suppressed` counts those of its name that were not stored since the last one. */
type LimitResult = { passes: boolean; suppressed: number };

/**
 * Lets a number of events per name and minute pass and counts the others, so that events by strangers cannot fill the store. A
 * clock that was set back begins a new minute.
 */
export function createEventLimit(): (name: string, perMinute: number, moment: Date) => LimitResult {
  const windows = new Map<string, Window>();
  return (name, perMinute, moment) => {
    const minute = floorTo(moment, MINUTE_MS).getTime();
    const previous = windows.get(name);
    const window =
      previous?.minute === minute ? previous : { minute, passed: 0, suppressed: previous?.suppressed ?? 0 };
    windows.set(name, window);
    if (window.passed >= perMinute) {
      window.suppressed += 1;
      return { passes: false, suppressed: 0 };
    }
    const { suppressed } = window;
    window.passed += 1;
    window.suppressed = 0;
    return { passes: true, suppressed };
  };
}
