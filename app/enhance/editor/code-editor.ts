/** The editor that replaces a text field. It is fetched apart from every page's own script. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { cellDirections, lineDirections } from "#app/enhance/editor/code-directions.ts";
import { loadLanguageSupport } from "#app/enhance/editor/code-language.ts";
import { CODE_COLOURS, CODE_THEME } from "#app/enhance/editor/code-theme.ts";
import { findTypedLanguage, SAMPLE_LENGTH } from "#app/enhance/editor/typed-language.ts";
import { DEFAULT_READING, wrapsLines } from "#app/reading.ts";
import { isProse, type LanguageName } from "#domain/files/language.ts";

export type CodeEditor = {
  text(): string;
  replace(text: string): void;
  focus(): void;
  focusLine(line: number): void;
  close(): void;
};

/**
 * Hides the field and puts an editor with its text, label and height in its place. `code-field.ts` reads the editor for submits and
 * drafts.
 */
export function openCodeEditor(field: HTMLElement, area: HTMLTextAreaElement): CodeEditor {
  const holder = document.createElement("div");
  holder.className = "code-editor raised round";
  holder.dir = "ltr";
  holder.style.blockSize = `${area.offsetHeight}px`;
  const language = new Compartment();
  const view = new EditorView({
    doc: area.value,
    parent: holder,
    extensions: [createBehaviour(field, area), createAppearance(), language.of([])],
  });
  area.hidden = true;
  area.after(holder);
  const restoreLabel = attachLabel(field, area, () => view.focus());
  const stopFollowing = followLanguage(view, area, language);
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    focusLine: (line) => {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      view.focus();
    },
    close() {
      stopFollowing();
      restoreLabel();
      view.destroy();
      holder.remove();
      area.hidden = false;
    },
  };
}

function createBehaviour(field: HTMLElement, area: HTMLTextAreaElement): Extension {
  return [
    history(),
    indentOnInput(),
    indentUnit.of(detectIndentUnit(area.value)),
    EditorState.tabSize.of(Number(document.documentElement.dataset.tabWidth ?? 4)),
    search({ top: true }),
    // Escape, then Tab, leaves the editor; the line below it says so.
    keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorState.phrases.of(JSON.parse(field.dataset.phrases ?? "{}")),
    EditorView.contentAttributes.of({
      "aria-labelledby": `${area.id}-label`,
      "aria-describedby": `${area.id}-keys`,
      spellcheck: "false",
      autocapitalize: "off",
      translate: "no",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) area.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ];
}

function createAppearance(): Extension {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    bracketMatching(),
    CODE_THEME,
    syntaxHighlighting(CODE_COLOURS),
  ];
}

function detectIndentUnit(text: string): string {
  const [, indent = "    "] = /^(\t|(?: {2}){1,2})\S/m.exec(text) ?? [];
  return indent;
}

/** The label names the editor while the field is hidden. */
function attachLabel(field: HTMLElement, area: HTMLTextAreaElement, focus: () => void): () => void {
  const label = field.querySelector("label");
  if (!label) return () => {};
  label.id = `${area.id}-label`;
  label.removeAttribute("for");
  label.addEventListener("click", focus);
  return () => {
    label.htmlFor = area.id;
    label.removeEventListener("click", focus);
  };
}

function toLineLayout(name: LanguageName): Extension {
  const { codeWrap = DEFAULT_READING.code_wrap } = document.documentElement.dataset;
  const directions = isProse(name) ? lineDirections : name === "csv" ? cellDirections : [];
  return [directions, wrapsLines(codeWrap, isProse(name)) ? EditorView.lineWrapping : []];
}

function followLanguage(view: EditorView, area: HTMLTextAreaElement, compartment: Compartment): () => void {
  const { form } = area;
  let shownName: LanguageName | undefined;
  const show = async () => {
    const name = findTypedLanguage(form, view.state.sliceDoc(0, SAMPLE_LENGTH));
    if (name === shownName) return;
    shownName = name;
    const support = await loadLanguageSupport(name);
    if (shownName !== name) return;
    view.dispatch({
      effects: compartment.reconfigure([support, toLineLayout(name)]),
    });
  };
  void show();
  form?.addEventListener("change", show);
  return () => form?.removeEventListener("change", show);
}
