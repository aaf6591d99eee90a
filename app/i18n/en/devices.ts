import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const devices = {
  title: "Notifications",
  lead: "Reminders reach you on the devices listed here, even while Codeshelf is closed.",
  here: "This device",
  needsScript: "To switch notifications on for a device, open this page there with JavaScript allowed.",
  notConfigured: "This server has no keys to send notifications with. Reminders still show in the bell.",
  states: {
    off: "Notifications are off in this browser.",
    on: "This browser gets your reminders.",
    denied:
      "This browser blocks notifications from Codeshelf. Allow them in the site settings beside the address, then open this page again.",
    unsupported:
      "This browser cannot receive notifications. Your reminders still show in the bell on every page.",
    iosTab:
      "On an iPhone or iPad, notifications work once Codeshelf is on the home screen: tap Share, then Add to Home Screen, and open it from there.",
    insecure: "Notifications need a secure address (https).",
    failed: "That did not work. Try again in a moment.",
    working: "One moment…",
  },
  turnOn: "Turn on notifications here",
  turnOff: "Turn off here",
  all: "Registered devices",
  none: "No device is registered yet.",
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
  reached: "Last reached",
  neverReached: "Not yet",
  failing: "Cannot be reached",
  remove: "Remove",
  removeOf: (device: string) => `Remove ${isolate(device)}`,
  removeAll: "Remove all devices",
  removeAllSure: (count: number) => (count === 1 ? "Remove 1 device" : `Remove ${amount(count)} devices`),
  cleanup: "Remove devices unused for 30 days",
  testTitle: "Try it",
  testLead: "Sends a notification to every device listed above.",
  testWorker: "Send a test",
  testLocal: "Send directly from the web server",
  testWhich: "Reminders take the first way. The second helps to find out which part is at fault.",
  removedMany: (count: number) =>
    count === 0
      ? "No device was removed."
      : count === 1
        ? "1 device was removed."
        : `${amount(count)} devices were removed.`,
  tested: (sent: number, errors: number) =>
    [
      sent === 0
        ? "The test reached no device."
        : sent === 1
          ? "The test was sent to 1 device."
          : `The test was sent to ${sent} devices.`,
      errors > 0 ? `${errors} did not take it.` : "",
    ]
      .filter(Boolean)
      .join(" "),
};
