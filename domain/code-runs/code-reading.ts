import { detectLanguage, findLanguage, type LanguageName } from "#domain/files/language.ts";

/** Reads code line by line, for its contents and for common mistakes. Nothing is parsed, so it also works for broken code. */
export type CodeReading = {
  language: LanguageName;
  lines: number;
  imports: string[];
  functions: string[];
  classes: string[];
  calls: string[];
  smells: Smell[];
};

export const SMELL_KINDS = [
  "bare_except",
  "swallowed_error",
  "runs_text",
  "mutable_default",
  "compares_none",
  "shell_command",
  "unverified_tls",
  "loose_equality",
  "old_var",
  "raw_html",
  "debug_output",
  "sql_from_text",
  "select_all",
  "unquoted_remove",
  "secret_inside",
  "left_to_do",
  "merge_marks",
  "long_lines",
] as const;
export type SmellKind = (typeof SMELL_KINDS)[number];
type Smell = { kind: SmellKind; lines: number[] };

type Language = LanguageName | "any";
const SCRIPTS: readonly Language[] = ["javascript", "typescript", "vue", "html"];

const SMELLS: readonly { kind: SmellKind; languages: readonly Language[]; pattern: RegExp }[] = [
  { kind: "merge_marks", languages: ["any"], pattern: /^(<{7}|>{7}) / },
  { kind: "secret_inside", languages: ["any"], pattern: /\[redacted\]/ },
  { kind: "bare_except", languages: ["python"], pattern: /^\s*except\s*:/ },
  { kind: "swallowed_error", languages: ["python"], pattern: /^\s*except\b.*:\s*(pass|\.\.\.)\s*$/ },
  { kind: "swallowed_error", languages: SCRIPTS, pattern: /catch\s*(\([^)]{0,60}\))?\s*\{\s*\}/ },
  { kind: "runs_text", languages: ["python"], pattern: /(^|[^\w.])(eval|exec)\(/ },
  { kind: "runs_text", languages: SCRIPTS, pattern: /(^|[^\w.])(eval\(|new Function\()/ },
  {
    kind: "mutable_default",
    languages: ["python"],
    pattern: /^\s*(async )?def .{0,300}=\s*(\[\]|\{\}|set\(\))/,
  },
  { kind: "compares_none", languages: ["python"], pattern: /[=!]=\s*None\b/ },
  { kind: "shell_command", languages: ["python"], pattern: /shell\s*=\s*True|os\.system\(/ },
  {
    kind: "unverified_tls",
    languages: ["any"],
    pattern: /verify\s*=\s*False|rejectUnauthorized:\s*false|curl .{0,200}(-k |--insecure)/,
  },
  { kind: "loose_equality", languages: SCRIPTS, pattern: /[^=!<>]==[^=]|!=[^=]/ },
  { kind: "old_var", languages: SCRIPTS, pattern: /^\s*var\s+\w/ },
  {
    kind: "raw_html",
    languages: SCRIPTS,
    pattern: /\.(inner|outer)HTML\s*\+?=|dangerouslySetInnerHTML|document\.write\(/,
  },
  { kind: "debug_output", languages: SCRIPTS, pattern: /^\s*(console\.(log|debug)\(|debugger\b)/ },
  { kind: "debug_output", languages: ["python"], pattern: /^\s*(breakpoint\(\)|import pdb|pdb\.set_trace)/ },
  {
    kind: "sql_from_text",
    languages: ["any"],
    pattern:
      /\b(select .{1,200} from|insert into|delete from|update \w+ set)\b.{0,300}(["'`]\s*(\+|%)\s*\w|\$\{|\{\w+\}|\.format\()/i,
  },
  { kind: "select_all", languages: ["sql"], pattern: /\bselect\s+\*/i },
  { kind: "unquoted_remove", languages: ["bash"], pattern: /\brm\s+-\w*r\w*\s+[^"']*\$\w/ },
  { kind: "left_to_do", languages: ["any"], pattern: /\b(TODO|FIXME|XXX|HACK)\b/ },
  { kind: "long_lines", languages: ["any"], pattern: /^.{161}/ },
];

type CodePatterns = { imports?: RegExp; functions?: RegExp; classes?: RegExp };
const SCRIPT_PATTERNS: CodePatterns = {
  imports: /^\s*(?:import\b[^'"]{0,400}|.{0,200}\brequire\()['"]([^'"]+)['"]/,
  functions:
    /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+([\w$]+)|^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]{0,200})?=\s*(?:async\s*)?(?:function\b|\([^)]{0,300}\)[^=]{0,100}=>|[\w$]+\s*=>)/,
  classes: /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|interface)\s+([\w$]+)/,
};
const PATTERNS_BY_LANGUAGE: Partial<Record<LanguageName, CodePatterns>> = {
  python: {
    imports: /^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/,
    functions: /^\s*(?:async\s+)?def\s+(\w+)/,
    classes: /^\s*class\s+(\w+)/,
  },
  javascript: SCRIPT_PATTERNS,
  typescript: SCRIPT_PATTERNS,
  go: {
    imports: /^\s*(?:import\s+)?(?:\w+\s+)?"([\w./-]+)"\s*$/,
    functions: /^func\s+(?:\([^)]{0,100}\)\s*)?(\w+)/,
    classes: /^type\s+(\w+)\s+(?:struct|interface)/,
  },
  rust: {
    imports: /^\s*use\s+([\w:]+)/,
    functions: /^\s*(?:pub(?:\([^)]{0,40}\))?\s+)?(?:async\s+)?fn\s+(\w+)/,
    classes: /^\s*(?:pub\s+)?(?:struct|enum|trait)\s+(\w+)/,
  },
  java: {
    imports: /^\s*import\s+(?:static\s+)?([\w.]+)/,
    functions:
      /^\s+(?:(?:public|private|protected|static|final)\s+)*[\w<>[\], ]{1,100}\s(\w+)\s*\([^)]{0,300}\)\s*(?:throws [\w, ]{1,100})?\{/,
    classes: /^\s*(?:public\s+)?(?:abstract\s+|final\s+)?(?:class|interface|enum|record)\s+(\w+)/,
  },
  bash: { functions: /^\s*(?:function\s+)?([\w-]+)\s*\(\)\s*\{/ },
  sql: { classes: /\bcreate\s+(?:table|view)\s+(?:if not exists\s+)?([\w."]+)/i },
};

const NAMES_MAX = 12;
const LINES_MAX = 5;
const LINE_READ_MAX = 1_000;

export function analyseCode(text: string, languageHint: string | null): CodeReading {
  const language = (languageHint && findLanguage(languageHint)) || detectLanguage("", text);
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const cutLines = lines.map((line) => line.slice(0, LINE_READ_MAX));
  const patterns = PATTERNS_BY_LANGUAGE[language] ?? {};
  return {
    language,
    lines: lines.length,
    imports: findNames(cutLines, patterns.imports),
    functions: findNames(cutLines, patterns.functions),
    classes: findNames(cutLines, patterns.classes),
    calls: patterns.functions && CALLING.includes(language) ? findCalls(cutLines, patterns.functions) : [],
    smells: findSmells(cutLines, language),
  };
}

function findNames(lines: string[], pattern: RegExp | undefined): string[] {
  if (!pattern) return [];
  const names = lines.flatMap(
    (line) =>
      pattern
        .exec(line)
        ?.slice(1)
        .find((name) => name !== undefined) ?? [],
  );
  return [...new Set(names)].slice(0, NAMES_MAX);
}

const CALLING: readonly LanguageName[] = ["python", "javascript", "typescript", "go", "rust", "java"];
const CALL = /(?<![\w$.])[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,4}(?=\()/g;
const COMMENT = /^\s*(?:#|\/\/|\*|\/\*)/;
const QUOTED = /"[^"]*"|'[^']*'/g;
const METHOD = /^\s*(?:(?:async|static|get|set)\s+)*[\w$]+\([^)]*\)\s*\{\s*$/;
const NOT_CALLED =
  /^(?:if|for|while|switch|catch|return|function|func|fn|def|class|and|or|not|in|await|yield|with|elif|match|super)$/;

/** Lists the called names. Comments, quoted texts and lines that define something are skipped. */
function findCalls(lines: string[], definition: RegExp): string[] {
  const code = lines.filter((line) => !COMMENT.test(line) && !definition.test(line) && !METHOD.test(line));
  const names = code.flatMap((line) => line.replace(QUOTED, "").match(CALL) ?? []);
  return [...new Set(names)].filter((name) => !NOT_CALLED.test(name)).slice(0, NAMES_MAX);
}

function findSmells(lines: string[], language: LanguageName): Smell[] {
  const linesByKind = new Map<SmellKind, number[]>();
  for (const { kind, languages, pattern } of SMELLS) {
    if (!languages.includes("any") && !languages.includes(language)) continue;
    const lineNumbers = lines.flatMap((line, i) => (pattern.test(line) ? [i + 1] : []));
    if (lineNumbers.length > 0) linesByKind.set(kind, [...(linesByKind.get(kind) ?? []), ...lineNumbers]);
  }
  return [...linesByKind].map(([kind, lineNumbers]) => ({ kind, lines: lineNumbers.slice(0, LINES_MAX) }));
}
