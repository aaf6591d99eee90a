/** The keyboard shortcuts, for the script and the help page. */
export const GO_TO = {
  d: "/dashboard",
  f: "/files",
  n: "/notes",
  b: "/boards",
  r: "/reminders",
  t: "/trash",
} as const;

export type ShortcutTarget = keyof typeof GO_TO;

export const isPlaceKey = (key: string): key is ShortcutTarget => Object.hasOwn(GO_TO, key);

type ShortcutAction =
  | "search"
  | "palette"
  | "help"
  | "new"
  | "next"
  | "previous"
  | "open"
  | "select"
  | "edit"
  | "note"
  | "goToLine"
  | "moveLine"
  | "markLines"
  | "lines"
  | "closeBar"
  | "closeNote"
  | "moveNote"
  | "moveNoteFar"
  | "resizeNote"
  | "save"
  | "run"
  | "close";

const ARROWS = "← ↑ → ↓";

/** Keys pressed together are separate texts, as they are written on the keyboard. */
export const KEYS: Record<ShortcutAction, readonly string[]> = {
  search: ["/"],
  palette: ["Ctrl", "K"],
  help: ["?"],
  new: ["n"],
  next: ["j"],
  previous: ["k"],
  open: ["o"],
  select: ["x"],
  edit: ["e"],
  note: ["n"],
  goToLine: ["l"],
  moveLine: ["↑ ↓"],
  markLines: ["Shift", "↑ ↓"],
  lines: ["Shift", "click"],
  closeBar: ["Esc"],
  closeNote: ["Esc"],
  moveNote: [ARROWS],
  moveNoteFar: ["Shift", ARROWS],
  resizeNote: ["Alt", ARROWS],
  save: ["Ctrl", "S"],
  run: ["Ctrl", "Enter"],
  close: ["Esc"],
};
