/** What is asked of rendering, and what it answers. */
export type ProseWords = {
  blockedImage: string;
  externalImage: string;
  footnoteBack: string;
  done: string;
  open: string;
};

export type RenderTask =
  | { kind: "html"; body: string }
  | { kind: "svg"; body: string }
  | { kind: "markdown"; body: string; words: ProseWords };

export type Heading = { id: string; text: string; level: number };
export type RenderedText = { html: string; headings: Heading[] };

/** Why a text is shown as its source instead. */
export type NotRendered = "too_large" | "too_deep" | "too_slow" | "nothing_to_draw" | "failed" | "busy";
export type Rendered = ({ ok: true } & RenderedText) | { ok: false; reason: NotRendered };
