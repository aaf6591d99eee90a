/** Says which browser and system a device has, so that its owner recognizes it. The first match wins. */
type Browser = "edge" | "opera" | "samsung" | "firefox" | "chrome" | "safari" | "other";
type System = "android" | "ios" | "windows" | "macos" | "linux" | "other";
export type DeviceKind = { browser: Browser; system: System };

const BROWSER_MARKS: readonly [RegExp, Browser][] = [
  [/\bEdg(e|A|iOS)?\//, "edge"],
  [/\bOPR\//, "opera"],
  [/\bSamsungBrowser\//, "samsung"],
  [/\b(Firefox|FxiOS)\//, "firefox"],
  [/\b(Chrome|Chromium|HeadlessChrome|CriOS)\//, "chrome"],
  [/\bSafari\//, "safari"],
];
const SYSTEM_MARKS: readonly [RegExp, System][] = [
  [/\bAndroid\b/, "android"],
  [/\b(iPhone|iPad|iPod)\b/, "ios"],
  [/\bWindows\b/, "windows"],
  [/\bMacintosh\b/, "macos"],
  [/\b(Linux|CrOS|X11)\b/, "linux"],
];

export function deviceKind(userAgent: string): DeviceKind {
  const findFirst = <T>(marks: readonly [RegExp, T][]) => marks.find(([mark]) => mark.test(userAgent))?.[1];
  return { browser: findFirst(BROWSER_MARKS) ?? "other", system: findFirst(SYSTEM_MARKS) ?? "other" };
}
