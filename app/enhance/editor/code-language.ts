import { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { LanguageName } from "#domain/files/language.ts";

/** The editor's names of our languages; languages that it cannot colour are left out. */
export const EDITOR_LANGUAGES: Partial<Record<LanguageName, string>> = {
  bash: "Shell",
  c: "C",
  clojure: "Clojure",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  dart: "Dart",
  diff: "diff",
  dockerfile: "Dockerfile",
  erlang: "Erlang",
  fsharp: "F#",
  go: "Go",
  groovy: "Groovy",
  haskell: "Haskell",
  html: "HTML",
  ini: "Properties files",
  java: "Java",
  javascript: "JSX",
  json: "JSON",
  julia: "Julia",
  kotlin: "Kotlin",
  less: "LESS",
  lua: "Lua",
  markdown: "Markdown",
  objectivec: "Objective-C",
  ocaml: "OCaml",
  perl: "Perl",
  php: "PHP",
  powershell: "PowerShell",
  protobuf: "ProtoBuf",
  python: "Python",
  r: "R",
  ruby: "Ruby",
  rust: "Rust",
  scala: "Scala",
  scss: "SCSS",
  sql: "SQL",
  svg: "XML",
  swift: "Swift",
  toml: "TOML",
  typescript: "TSX",
  vue: "Vue",
  xml: "XML",
  yaml: "YAML",
};

/** Fetches the colouring of a language. If that fails, the text stays editable without colours. */
export async function loadLanguageSupport(name: LanguageName): Promise<Extension> {
  const editorName = EDITOR_LANGUAGES[name];
  const description = editorName ? LanguageDescription.matchLanguageName(languages, editorName, false) : null;
  if (!description) return [];
  return Promise.all([description.load(), name === "markdown" ? loadMarkdownKeys() : []]).catch(() => []);
}

/** Makes Enter in an empty item end the list. The language's own keys would put an empty line between two items. */
async function loadMarkdownKeys(): Promise<Extension> {
  const { insertNewlineContinueMarkupCommand } = await import("@codemirror/lang-markdown");
  const run = insertNewlineContinueMarkupCommand({ nonTightLists: false });
  return Prec.highest(keymap.of([{ key: "Enter", run }]));
}
