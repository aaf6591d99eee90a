import { parseJsonOrNull } from "#domain/parse-json.ts";
import { removeByteOrderMark } from "#domain/text/line-ends.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** The languages of files with their labels, file extensions and full file names. */
type Language = { label: string; extensions: readonly string[]; names?: readonly string[] };

export const LANGUAGES = {
  c: { label: "C", extensions: ["c", "h"] },
  csharp: { label: "C#", extensions: ["cs"] },
  cpp: { label: "C++", extensions: ["cpp", "cc", "cxx", "hpp", "hh"] },
  clojure: { label: "Clojure", extensions: ["clj", "cljs", "edn"] },
  css: { label: "CSS", extensions: ["css"] },
  csv: { label: "CSV", extensions: ["csv", "tsv"] },
  dart: { label: "Dart", extensions: ["dart"] },
  diff: { label: "Diff", extensions: ["diff", "patch"] },
  dockerfile: { label: "Dockerfile", extensions: ["dockerfile"], names: ["dockerfile", "containerfile"] },
  elixir: { label: "Elixir", extensions: ["ex", "exs"] },
  erlang: { label: "Erlang", extensions: ["erl", "hrl"] },
  fsharp: { label: "F#", extensions: ["fs", "fsx"] },
  go: { label: "Go", extensions: ["go"] },
  graphql: { label: "GraphQL", extensions: ["graphql", "gql"] },
  groovy: { label: "Groovy", extensions: ["groovy", "gradle"] },
  haskell: { label: "Haskell", extensions: ["hs"] },
  html: { label: "HTML", extensions: ["html", "htm", "xhtml"] },
  ini: {
    label: "INI",
    extensions: ["ini", "cfg", "conf", "env", "properties"],
    names: [".env", ".editorconfig", ".gitconfig"],
  },
  java: { label: "Java", extensions: ["java"] },
  javascript: { label: "JavaScript", extensions: ["js", "mjs", "cjs", "jsx"] },
  json: { label: "JSON", extensions: ["json", "jsonc", "geojson", "ipynb", "webmanifest"] },
  julia: { label: "Julia", extensions: ["jl"] },
  kotlin: { label: "Kotlin", extensions: ["kt", "kts"] },
  less: { label: "Less", extensions: ["less"] },
  lua: { label: "Lua", extensions: ["lua"] },
  makefile: { label: "Makefile", extensions: ["mk"], names: ["makefile", "gnumakefile", "justfile"] },
  markdown: { label: "Markdown", extensions: ["md", "markdown", "mdx"], names: ["readme"] },
  nix: { label: "Nix", extensions: ["nix"] },
  objectivec: { label: "Objective-C", extensions: ["m", "mm"] },
  ocaml: { label: "OCaml", extensions: ["ml", "mli"] },
  perl: { label: "Perl", extensions: ["pl", "pm"] },
  php: { label: "PHP", extensions: ["php"] },
  powershell: { label: "PowerShell", extensions: ["ps1", "psm1"] },
  protobuf: { label: "Protocol Buffers", extensions: ["proto"] },
  python: { label: "Python", extensions: ["py", "pyi", "pyw"] },
  r: { label: "R", extensions: ["r"] },
  ruby: { label: "Ruby", extensions: ["rb", "rake", "gemspec"], names: ["gemfile", "rakefile"] },
  rust: { label: "Rust", extensions: ["rs"] },
  scala: { label: "Scala", extensions: ["scala", "sc"] },
  scss: { label: "SCSS", extensions: ["scss", "sass"] },
  bash: {
    label: "Shell",
    extensions: ["sh", "bash", "zsh", "ksh"],
    names: [".bashrc", ".zshrc", ".profile"],
  },
  sql: { label: "SQL", extensions: ["sql"] },
  svg: { label: "SVG", extensions: ["svg"] },
  swift: { label: "Swift", extensions: ["swift"] },
  text: { label: "Text", extensions: ["txt", "log", "text"], names: ["license", "procfile", ".gitignore"] },
  toml: { label: "TOML", extensions: ["toml"] },
  typescript: { label: "TypeScript", extensions: ["ts", "mts", "cts", "tsx"] },
  vue: { label: "Vue", extensions: ["vue"] },
  xml: { label: "XML", extensions: ["xml", "xsd", "xsl", "plist", "rss"] },
  yaml: { label: "YAML", extensions: ["yaml", "yml"] },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES = listKeys(LANGUAGES);

export function isLanguage(text: string): text is LanguageName {
  return Object.hasOwn(LANGUAGES, text);
}

export function languageLabel(name: string): string {
  return isLanguage(name) ? LANGUAGES[name].label : name;
}

const BY_EXTENSION = new Map<string, LanguageName>();
const BY_NAME = new Map<string, LanguageName>();
for (const name of LANGUAGE_NAMES) {
  const language: Language = LANGUAGES[name];
  for (const extension of language.extensions) BY_EXTENSION.set(extension, name);
  for (const fileName of language.names ?? []) BY_NAME.set(fileName, name);
}

/** Finds a language by its name, label or file extension, in any case. */
export function findLanguage(word: string): LanguageName | null {
  const name = word.trim().toLowerCase();
  if (isLanguage(name)) return name;
  const labelled = LANGUAGE_NAMES.find((candidate) => LANGUAGES[candidate].label.toLowerCase() === name);
  return labelled ?? BY_EXTENSION.get(name) ?? null;
}

const BY_INTERPRETER: readonly (readonly [RegExp, LanguageName])[] = [
  [/^python[\d.]*$/, "python"],
  [/^(node|deno|bun)$/, "javascript"],
  [/^(tsx|ts-node)$/, "typescript"],
  [/^(sh|bash|zsh|dash|ksh|ash)$/, "bash"],
  [/^ruby[\d.]*$/, "ruby"],
  [/^perl[\d.]*$/, "perl"],
  [/^php[\d.]*$/, "php"],
  [/^lua[\d.]*$/, "lua"],
  [/^Rscript$/, "r"],
  [/^make$/, "makefile"],
];

// Each pattern matches a construct that begins no line in other languages; the first match decides. No pattern crosses lines,
// because a text of empty lines would then be scanned once per line.
const BY_CONTENT: readonly (readonly [RegExp, LanguageName])[] = [
  [/^\s*<svg[\s>]/i, "svg"],
  [/^\s*<\?xml[\s\S]{0,400}<svg[\s>]/i, "svg"],
  [/^\s*<\?php/, "php"],
  [/^\s*<\?xml/, "xml"],
  [/^\s*<(!doctype html|html|head|body)[\s>]/i, "html"],
  [/^(diff --git |--- a\/|Index: )/, "diff"],
  [/^package \w+\s*$/m, "go"],
  [/^[ \t]*#include\s+[<"]/m, "c"],
  [/^[ \t]*(pub )?fn \w+[(<]/m, "rust"],
  [/^(async )?def \w+\(.*\)[^)\n]*:[ \t\r]*$|^from [\w.]+ import |^class \w+(\(.*\))?:[ \t\r]*$/m, "python"],
  [/^(import|export) .* from ["']|^const \w+ = require\(|^(export )?(async )?function \w+\(/m, "javascript"],
  [/^\s*(select\s[\s\S]+\sfrom|create\s+table|insert\s+into)\s/i, "sql"],
  [/^#{1,6} \S|^```/m, "markdown"],
];

const CONTENT_SAMPLE = 4096;

/** The file name decides, then the shebang, then the content; otherwise it is text. */
export function detectLanguage(fileName: string, body: string): LanguageName {
  return detectByFileName(fileName) ?? detectByText(removeByteOrderMark(body)) ?? "text";
}

function detectByFileName(fileName: string): LanguageName | undefined {
  const name = fileName.toLowerCase();
  const dot = name.lastIndexOf(".");
  return BY_NAME.get(name) ?? (dot >= 0 ? BY_EXTENSION.get(name.slice(dot + 1)) : undefined);
}

const detectByText = (text: string) => detectByShebang(text) ?? detectByContent(text);

function detectByShebang(body: string): LanguageName | undefined {
  const [, path, word = ""] = /^#!\s*(\S+)(?:[ \t]+(?:-\S+[ \t]+)*(\S+))?/.exec(body.slice(0, 256)) ?? [];
  if (path === undefined) return undefined;
  const program = path.split("/").at(-1) ?? "";
  const interpreter = program === "env" ? word : program;
  return BY_INTERPRETER.find(([pattern]) => pattern.test(interpreter))?.[1];
}

function detectByContent(body: string): LanguageName | undefined {
  const sample = body.slice(0, CONTENT_SAMPLE);
  if (/^\s*[[{]/.test(sample) && isJson(body)) return "json";
  return BY_CONTENT.find(([pattern]) => pattern.test(sample))?.[1];
}

const JSON_READ_MAX = 64 * 1024;

/** Only the beginning and the end of a long text are read, because reading all of it would cost too much. */
function isJson(body: string): boolean {
  if (body.length > JSON_READ_MAX)
    return (
      /^\s*(\{\s*"|\[\s*[[{"\d-])/.test(body.slice(0, CONTENT_SAMPLE)) && /[\]}]\s*$/.test(body.slice(-16))
    );
  return parseJsonOrNull(body) !== undefined;
}

/** Lines of prose follow the direction of their words and may wrap; lines of code all run the same way. */
export const isProse = (language: string): boolean => language === "markdown" || language === "text";
