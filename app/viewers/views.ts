import { formatRange, type LineRange } from "#domain/text/line-range.ts";

/** A version in addresses; null is the newest, whose address has no number. */
export type OldVersionNumber = number | null;

export function atVersion(path: string, version: OldVersionNumber): string {
  if (version === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}v=${version}`;
}

export const rawAddress = (id: string, old: OldVersionNumber): string =>
  `/api/file/${id}/content${old === null ? "" : `?version=${old}`}`;

/** Returns the address of a line, which the page then marks, with and without JavaScript. */
export function toLineAddress(path: string, line: number): string {
  return toLineRangeAddress(path, { from: line, to: line });
}

/** Returns the address of a range of lines. The hash names its first line, because a range has no element to scroll to. */
export function toLineRangeAddress(path: string, range: LineRange): string {
  return `${path}${path.includes("?") ? "&" : "?"}L=${formatRange(range)}#L${range.from}`;
}

/** The views of a file besides its source, by language, with their addresses. */
export const VIEWS = {
  html: (id: string) => `/file/${id}?view=preview`,
  json: (id: string) => `/file/${id}?view=preview`,
  csv: (id: string) => `/file/${id}?view=preview`,
  markdown: (id: string) => `/md/${id}`,
  svg: (id: string) => `/svg/${id}`,
} as const;

export const isNotebook = (file_name: string): boolean => /\.ipynb$/i.test(file_name);

/** Returns the address that opens a file: texts, notebooks and tables as a preview, anything else as source. */
export function toFileAddress({ id, file_name, language }: OpenedFile): string {
  if (language === "markdown" || language === "csv") return VIEWS[language](id);
  return isNotebook(file_name) ? VIEWS.json(id) : `/file/${id}`;
}

type OpenedFile = { id: string; file_name: string; language: string };

export const RUNNING_PAGE = (id: string) => `${VIEWS.html(id)}&scripts=on`;

export type Viewed = keyof typeof VIEWS;

export function isViewed(language: string): language is Viewed {
  return Object.hasOwn(VIEWS, language);
}
