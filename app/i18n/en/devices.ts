import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const devices = {
  title: "Notifications",
  lead: "These devices get your reminders, even when Codeshelf is closed.",
  here: "This device",
  needsScript: "Turn on JavaScript to enable notifications on this device.",
  notConfigured: "Notifications are not set up on this server. Reminders still show in the bell.",
  states: {
    off: "Notifications are off in this browser.",
    on: "Notifications are on in this browser.",
    denied: "This browser blocks notifications. Allow them in the site settings, then reload.",
    unsupported: "This browser doesn’t support notifications. Reminders still show in the bell.",
    iosTab: "On iPhone and iPad, first add Codeshelf to the home screen: tap Share, then Add to Home Screen.",
    insecure: "Notifications need a secure address (https).",
    failed: "That didn’t work. Try again in a moment.",
    working: "One moment…",
  },
  turnOn: "Turn on notifications",
  turnOff: "Turn off",
  all: "Devices",
  none: "No devices yet.",
  kind: (browser: string, system: string) => `${browser} on ${system}`,
  browsers: {
    edge: "Edge",
    opera: "Opera",
    samsung: "Samsung Internet",
    firefox: "Firefox",
    chrome: "Chrome",
    safari: "Safari",
    other: "A browser",
  },
  systems: {
    android: "Android",
    ios: "iPhone or iPad",
    windows: "Windows",
    macos: "macOS",
    linux: "Linux",
    other: "a device",
  },
  thisOne: "this device",
  code: "Code",
  added: "Added",
  reached: "Last notified",
  neverReached: "Never",
  failing: "Not responding",
  remove: "Remove",
  removeLabel: (device: string) => `Remove ${isolate(device)}`,
  removeAll: "Remove all devices",
  removeAllSure: (count: number) => (count === 1 ? "Remove 1 device" : `Remove ${amount(count)} devices`),
  cleanup: "Remove devices unused for 30 days",
  testTitle: "Test",
  testLead: "Sends a notification to every device above.",
  testWorker: "Send test",
  testLocal: "Send from web server",
  testWhich: "If the first button fails and the second works, the worker has a problem.",
  removedMany: (count: number) =>
    count === 0
      ? "No devices removed"
      : count === 1
        ? "1 device removed"
        : `${amount(count)} devices removed`,
  tested: (sent: number, errors: number) =>
    [
      sent === 0 ? "No device reached" : sent === 1 ? "Sent to 1 device" : `Sent to ${sent} devices`,
      ...(errors > 0 ? [`${errors} failed`] : []),
    ].join(", "),
};
