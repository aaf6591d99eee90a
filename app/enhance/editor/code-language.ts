import { LanguageDescription, type LanguageSupport } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
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
export async function languageSupport(name: LanguageName): Promise<LanguageSupport | []> {
  const known = EDITOR_LANGUAGES[name];
  const description = known ? LanguageDescription.matchLanguageName(languages, known, false) : null;
  return description ? description.load().catch(() => []) : [];
}
