import type { Extension, Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { findRightToLeftCells } from "#app/viewers/code/line-directions.ts";
import { detectDirection } from "#domain/text/text-direction.ts";

const toLine = (dir: "auto" | "ltr" | "rtl") => Decoration.line({ attributes: { dir } });
const DIRECTIONS = { auto: toLine("auto"), ltr: toLine("ltr"), rtl: toLine("rtl") };

/** The mark is a letter, but not the line's first word. */
const TICKED_TASK = /^\s*[-*+] \[[xX]\] /;

function chooseDirection(line: string): Decoration {
  const [mark] = TICKED_TASK.exec(line) ?? [];
  return DIRECTIONS[mark ? detectDirection(line.slice(mark.length)) : "auto"];
}

function decorateLines(view: EditorView): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges)
    for (let position = from; position <= to; ) {
      const line = view.state.doc.lineAt(position);
      lines.push(chooseDirection(line.text).range(line.from));
      position = line.to + 1;
    }
  return Decoration.set(lines);
}

const toViewPlugin = (decorate: (view: EditorView) => DecorationSet) =>
  ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );

/** Each line takes the direction of its own first word. */
export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  toViewPlugin(decorateLines),
];

const ISOLATED_CELL = Decoration.mark({ tagName: "bdi", bidiIsolate: null, inclusive: true });

const isolateRightToLeftCells = (view: EditorView): DecorationSet =>
  Decoration.set(
    view.visibleRanges.flatMap(({ from, to }) =>
      findRightToLeftCells(view.state.sliceDoc(from, to)).map((cell) =>
        ISOLATED_CELL.range(from + cell.from, from + cell.to),
      ),
    ),
  );

const cells = toViewPlugin(isolateRightToLeftCells);

/** Each cell of a table is isolated, so that neighbours do not change places. The cursor moves by the same ranges. */
export const cellDirections: Extension = [
  cells,
  EditorView.bidiIsolatedRanges.of((view) => view.plugin(cells)?.decorations ?? Decoration.none),
];
