/** The strokes of each icon on a field of 24 by 24. Icons only decorate words beside them. */
const DRAWINGS = {
  alert: "M12 4 2.8 20h18.4zM12 10v4.5M12 17.4v.1",
  announce: "M4 10v4h3l9 5V5l-9 5zM19.5 9a4 4 0 0 1 0 6",
  back: "m15 5-7 7 7 7",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4",
  board: "M3 4h18v16H3zM7 8h4v4H7zM14 10h4v6h-4z",
  book: "M5 4.5A1.5 1.5 0 0 1 6.5 3H19v14H6.5A1.5 1.5 0 0 0 5 18.5v-14zM5 18.5A2.5 2.5 0 0 0 7.5 21H19v-4M9 7.5h6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  clock: "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  code: "m8.5 7-5 5 5 5M15.5 7l5 5-5 5",
  contrast: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM12 3v18M12 8h7.5M12 12h9M12 16h7.5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  download: "M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 20h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  files: "M14 3H6v18h12V7zM14 3v4h4M9 12h6M9 16h6",
  folder: "M3 6h6l2 2.500h10V19H3z",
  forward: "m9 5 7 7-7 7",
  gauge: "M4 18a9 9 0 1 1 16 0M12 14l4-5M12 15v.1",
  grip: "M9 5v2M15 5v2M9 11v2M15 11v2M9 17v2M15 17v2",
  help: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM9.4 9.6a2.6 2.6 0 1 1 3.9 2.2c-.8.5-1.3 1-1.3 2M12 16.800v.1",
  home: "m4 11 8-7 8 7v9h-5.5v-5h-5v5H4z",
  key: "M11 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 12l10-8M15.500 7.600l3 3.500",
  leave: "M10 4H5v16h5M9 12h11m-4-4 4 4-4 4",
  menu: "M4 6h16M4 12h16M4 18h16",
  minus: "M5 12h14",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  wrap: "M4 6h16M4 12h12.500a3 3 0 0 1 0 6H12m2.500-2.500L12 18l2.500 2.500M4 18h4",
  more: "M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z",
  offline:
    "M5 5l14 15M8.500 8.500A6.500 6.500 0 0 0 6 9.700 4.500 4.500 0 0 0 6.500 18.500H17M11 6.200a6.500 6.500 0 0 1 7 5.300 3.600 3.600 0 0 1 2.300 5.900",
  note: "M4 4h16v11l-5 5H4zM20 15h-5v5M8 9h8M8 13h4",
  plus: "M12 5v14M5 12h14",
  people:
    "M12 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM2 20c0-4 2.8-6 6.5-6s6.5 2 6.5 6M16 4.9a3.5 3.5 0 0 1 0 6.2M18 14.5c2.5.7 4 2.600 4 5.500",
  play: "M7 4.500v15l12-7.500z",
  pin: "M9 3h6l-1 6 3.5 4h-11L10 9zM12 13v8",
  repo: "M6.500 9V15M17.500 9c0 4-6 3-10 6M8.500 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM8.500 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM19.500 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
  remove: "m6 6 12 12M18 6 6 18",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  search: "M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM15.2 15.2 20 20",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
  share: "M12 3v12M8 6.500l4-4 4 4M7 10H5v11h14V10h-2",
  sort: "M7 4v16m-3-3 3 3 3-3M13 7h8M13 12h6M13 17h4",
  star: "m12 3.5 2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6L3.3 9.8l6.1-.7z",
  stop: "M6 6h12v12H6z",
  sun: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  sync: "M20 11a8 8 0 0 0-14.500-3.500M4.500 3.500V8H9M4 13a8 8 0 0 0 14.500 3.500M19.500 20.500V16H15",
  tag: "M3.5 3.5h8l9 9-8 8-9-9zM8 8v.1",
  trash: "M4 6.5h16M9 6.5V4h6v2.5M6.5 6.5 7.5 20h9l1-13.5M10 10.5v6M14 10.5v6",
  undo: "M9 14 4.5 9.5 9 5M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
} as const;

export type IconName = keyof typeof DRAWINGS;

/** Icons that point in the reading direction; a right-to-left page mirrors them. */
const DIRECTIONAL: readonly IconName[] = ["announce", "back", "book", "files", "forward", "leave", "sort"];

export function Icon({ name }: { name: IconName }) {
  const className = DIRECTIONAL.includes(name) ? "icon mirrors" : "icon";
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

export function ProductLogo() {
  return (
    <svg className="rigid" viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="currentcolor"
        d="M3 4h4v14H3zM8.5 7h3.5v11H8.5zM14 5.6l3.7-1.1 4 13.3-3.7 1.1zM2 20h20v2H2z"
      />
    </svg>
  );
}
