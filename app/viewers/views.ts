import { type LineRange, writtenRange } from "#domain/text/line-range.ts";

/** A version as addresses name it: null stands for the newest, whose address has no number. */
export type OldVersionNumber = number | null;

/** The address at a version. */
export function atVersion(path: string, version: OldVersionNumber): string {
  if (version === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}v=${version}`;
}

/** Where the text of a file is as it was saved, without a page around it. */
export const rawAddress = (id: string, old: OldVersionNumber): string =>
  `/api/file/${id}/content${old === null ? "" : `?version=${old}`}`;

/** The address at a line, which the page then has chosen, with and without JavaScript. */
export function atLine(path: string, line: number): string {
  return atLines(path, { from: line, to: line });
}

/** The address at a range of lines. The first of them is named after `#`, because a range has no element to scroll to. */
export function atLines(path: string, range: LineRange): string {
  return `${path}${path.includes("?") ? "&" : "?"}L=${writtenRange(range)}#L${range.from}`;
}

/** How a file can be looked at besides its source, by its language; and where. */
export const VIEWS = {
  html: (id: string) => `/file/${id}?view=preview`,
  json: (id: string) => `/file/${id}?view=preview`,
  csv: (id: string) => `/file/${id}?view=preview`,
  markdown: (id: string) => `/md/${id}`,
  svg: (id: string) => `/svg/${id}`,
} as const;

export const isNotebook = (file_name: string): boolean => /\.ipynb$/i.test(file_name);

/** Where a file is opened: texts, notebooks and tables as they are meant to be read, anything else as it is written. */
export function fileAddress({ id, file_name, language }: OpenedFile): string {
  if (language === "markdown" || language === "csv") return VIEWS[language](id);
  return isNotebook(file_name) ? VIEWS.json(id) : `/file/${id}`;
}

type OpenedFile = { id: string; file_name: string; language: string };

/** Where a page of HTML is shown with its scripts running. */
export const RUNNING_PAGE = (id: string) => `${VIEWS.html(id)}&scripts=on`;

export type Viewed = keyof typeof VIEWS;

export function isViewed(language: string): language is Viewed {
  return Object.hasOwn(VIEWS, language);
}
