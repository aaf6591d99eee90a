import { defaultHighlightStyle, HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";

/** Maps the colours of the editor's default style to those of code on every page. */
const COLOURS: Record<string, string> = {
  "#404740": "var(--code-attribute)",
  "#708": "var(--code-keyword)",
  "#219": "var(--code-number)",
  "#164": "var(--code-number)",
  "#a11": "var(--code-string)",
  "#e40": "var(--code-string)",
  "#00f": "var(--code-name)",
  "#30a": "var(--code-name)",
  "#085": "var(--code-type)",
  "#167": "var(--code-type)",
  "#256": "var(--code-attribute)",
  "#00c": "var(--code-attribute)",
  "#940": "var(--code-comment)",
  "#f00": "var(--code-removed)",
};

export const CODE_COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => (spec.color ? { ...spec, color: COLOURS[spec.color] } : spec)),
);

export const CODE_THEME = EditorView.theme({
  "&": { blockSize: "100%", color: "var(--text)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontSize: "var(--text-code)",
    lineHeight: "var(--line-of-code)",
    // On the scroller, around text and numbers: the numbers would follow padding of the text only after it is measured.
    paddingBlock: "var(--step-2)",
  },
  ".cm-content": { caretColor: "var(--text)", paddingBlock: "0" },
  ".cm-line": { paddingInline: "var(--step-3)" },
  // Lines are as wide as the longest one, so a right-to-left line would start at its far end, out of sight.
  ".cm-content:not(.cm-lineWrapping) .cm-line": { textAlign: "left" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--text-soft)",
    borderInlineEnd: "var(--border-line)",
    // The editor makes the gutter as high as the text without padding.
    boxSizing: "content-box",
    blockSize: "100%",
    marginBlock: "calc(-1 * var(--step-2))",
    paddingBlock: "var(--step-2)",
  },
  ".cm-lineNumbers .cm-gutterElement": { minInlineSize: "2.5rem", paddingInline: "var(--step-2)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--surface-sunk)", color: "inherit" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-searchMatch, .cm-searchMatch-selected": { backgroundColor: "var(--marked)" },
  ".cm-searchMatch-selected": { outline: "var(--focus-line)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "var(--thin) solid var(--accent)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--wrong-soft)" },
  ".cm-specialChar": { color: "var(--wrong)", backgroundColor: "var(--wrong-soft)" },
  ".cm-panels": { backgroundColor: "var(--surface-sunk)", color: "var(--text)", fontFamily: "var(--sans)" },
  ".cm-panels-top": { borderBlockEnd: "var(--border-line)" },
  ".cm-panel.cm-search": { padding: "var(--step-2) var(--step-8) var(--step-2) var(--step-2)" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "var(--step-1)",
    minBlockSize: "var(--step-6)",
    fontSize: "var(--text-small)",
  },
  ".cm-textfield, .cm-button": {
    minBlockSize: "1.875rem",
    padding: "0 var(--step-3)",
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
    border: "var(--border-field)",
    borderRadius: "var(--corner)",
    color: "var(--text)",
    fontFamily: "inherit",
    fontSize: "var(--text-small)",
  },
  ".cm-button:active": { backgroundImage: "none" },
  ".cm-panel.cm-search [name=close]": {
    minInlineSize: "var(--step-6)",
    minBlockSize: "var(--step-6)",
    color: "inherit",
    fontSize: "var(--text-lead)",
    cursor: "pointer",
  },
});
