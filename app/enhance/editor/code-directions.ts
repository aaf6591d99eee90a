import type { Extension, Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const OWN_DIRECTION = Decoration.line({ attributes: { dir: "auto" } });

function visibleLines(view: EditorView): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      lines.push(OWN_DIRECTION.range(line.from));
      at = line.to + 1;
    }
  return Decoration.set(lines);
}

/** Each line runs in the direction of its own first word. */
export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      decorations: visibleLines(view),
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = visibleLines(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
];
