import { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { LanguageName } from "#domain/files/language.ts";

/** What the editor calls the languages we know; one that it cannot colour is left out. */
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

/** Fetches what colours a language. A fetch that fails leaves the text without colours, and editing as it is. */
export async function languageSupport(name: LanguageName): Promise<Extension> {
  const known = EDITOR_LANGUAGES[name];
  const description = known ? LanguageDescription.matchLanguageName(languages, known, false) : null;
  if (!description) return [];
  return Promise.all([description.load(), name === "markdown" ? loadMarkdownKeys() : []]).catch(() => []);
}

/** Enter in an empty item ends the list. The keys of the language itself would set a list of two items apart by an empty line. */
async function loadMarkdownKeys(): Promise<Extension> {
  const { insertNewlineContinueMarkupCommand } = await import("@codemirror/lang-markdown");
  const run = insertNewlineContinueMarkupCommand({ nonTightLists: false });
  return Prec.highest(keymap.of([{ key: "Enter", run }]));
}
