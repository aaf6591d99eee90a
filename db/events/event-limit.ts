import { floorTo } from "#domain/events/time-window.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type Window = { minute: number; passed: number; suppressed: number };

/** Whether an event is stored, and how many of its name were only counted since the last one stored. */
type EventTurn = { passes: boolean; suppressed: number };

/**
 * Lets so many events of a name through in each minute and counts the others, so that what strangers can cause does not grow
 * with how often they do it. A clock that was set back begins a new minute.
 */
export function createEventLimit(): (name: string, perMinute: number, at: Date) => EventTurn {
  const windows = new Map<string, Window>();
  return (name, perMinute, at) => {
    const minute = floorTo(at, MINUTE_MS).getTime();
    const known = windows.get(name);
    const window =
      known?.minute === minute ? known : { minute, passed: 0, suppressed: known?.suppressed ?? 0 };
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
