/** Longer texts are shown as source. The pictures of a notebook do not count. */
export const RENDER_MAX_LENGTH = 512 * 1024;

export type ProseWords = {
  blockedImage: string;
  externalImage: string;
  missingImage: string;
  missingFile: string;
  footnoteBack: string;
  done: string;
  open: string;
};

/** The files that relative addresses name, by path: the address to open, and that of the drawing if it is one. */
export type LinkedFiles = Record<string, { href: string; image?: string }>;
/** With `ticking`, boxes of tasks are buttons of the page's form, for people who may change the text. */
export type MarkdownInput = { body: string; words: ProseWords; files: LinkedFiles; ticking?: boolean };

type RenderInputs = {
  html: { body: string };
  svg: { body: string };
  markdown: MarkdownInput;
  notebook: { body: string; words: ProseWords };
};
export type RenderKind = keyof RenderInputs;
export type RenderTask<Kind extends RenderKind = RenderKind> = {
  [Each in Kind]: { kind: Each } & RenderInputs[Each];
}[Kind];

export type Heading = { id: string; text: string; level: number };
export type RenderedText = { html: string; headings: Heading[] };

export type NotRendered =
  | "not_notebook"
  | "too_large"
  | "too_deep"
  | "too_slow"
  | "nothing_to_draw"
  | "failed"
  | "busy";
export type Rendered = ({ ok: true } & RenderedText) | { ok: false; reason: NotRendered };
