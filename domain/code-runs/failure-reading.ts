/**
 * Reads the failure out of a traceback or an error message of Python, JavaScript or Node. The first matching rule wins, so the
 * most specific come first.
 */
export type FailureKind =
  | "missing_module"
  | "missing_name"
  | "none_used"
  | "missing_member"
  | "missing_key"
  | "index_out_of_range"
  | "wrong_arguments"
  | "not_callable"
  | "bad_number"
  | "bad_json"
  | "bad_syntax"
  | "bad_indentation"
  | "division_by_zero"
  | "file_missing"
  | "not_permitted"
  | "bad_encoding"
  | "too_deep"
  | "out_of_memory"
  | "unreachable"
  | "too_slow"
  | "port_taken"
  | "failed_assertion"
  | "wrong_type"
  | "other";

export type Failure = {
  kind: FailureKind;
  /** The name of the error, and its message. */
  type: string;
  message: string;
  /** The name, file or value that the message is about, if it has one. */
  subject: string | null;
  place: { file: string; line: number } | null;
};

const RULES: readonly [FailureKind, RegExp][] = [
  ["missing_module", /^ModuleNotFoundError: No module named ['"]([^'"]+)/],
  ["missing_module", /Cannot find (?:module|package) ['"]([^'"]+)/],
  ["missing_module", /^ImportError: cannot import name ['"]([^'"]+)/],
  ["missing_name", /^(?:NameError|UnboundLocalError): .*?['"](\w+)['"]/],
  ["missing_name", /^ReferenceError: (?:Cannot access ['"])?([\w$]+)/],
  ["none_used", /'NoneType' object (?:has no attribute ['"](\w+)['"]|is not \w+)/],
  [
    "none_used",
    /Cannot (?:read|set) propert(?:y|ies) (?:['"]?([\w$]+)['"]? )?of (?:undefined|null)(?: \((?:reading|setting) ['"]([^'"]+))?/,
  ],
  [
    "not_callable",
    /^TypeError: (?:['"]?([\w$.]+)['"]? (?:object )?is not (?:a function|callable|a constructor))/,
  ],
  ["missing_member", /^AttributeError: .* has no attribute ['"](\w+)/],
  ["missing_key", /^KeyError: (.+)$/],
  ["index_out_of_range", /^IndexError\b/],
  ["wrong_arguments", /^TypeError: (\w+)\(\) (?:missing|takes|got)/],
  ["bad_json", /JSONDecodeError|in JSON at position|is not valid JSON|Unexpected end of JSON input/],
  ["bad_number", /^ValueError: (?:invalid literal for int|could not convert string to float)[^:]*: (.+)$/],
  ["bad_indentation", /^(?:IndentationError|TabError)\b/],
  ["bad_syntax", /^SyntaxError\b/],
  ["division_by_zero", /^ZeroDivisionError\b/],
  ["file_missing", /(?:^FileNotFoundError\b.*?|ENOENT\b.*?)(?:['"]([^'"]+)['"])?$/],
  ["not_permitted", /^PermissionError\b|\bEACCES\b|\bEPERM\b/],
  ["bad_encoding", /^Unicode(?:De|En)codeError\b/],
  ["too_deep", /^RecursionError\b|Maximum call stack size exceeded/],
  ["out_of_memory", /^MemoryError\b|heap out of memory/],
  ["port_taken", /\bEADDRINUSE\b.*?(\d{2,5})?$/],
  ["unreachable", /ECONNREFUSED|ECONNRESET|ENOTFOUND|^Connection\w*Error\b|Failed to fetch|fetch failed/],
  ["too_slow", /^(?:\w+\.)*Timeout\w*\b|ETIMEDOUT/],
  ["failed_assertion", /^AssertionError\b/],
  ["wrong_type", /^TypeError\b/],
];

// An error's line: its type, perhaps after a module, then its message.
const ERROR_LINE =
  /^(?:Uncaught (?:\(in promise\) )?|Unhandled\w*: )?((?:[A-Za-z_]\w{0,60}\.){0,6}(?:[A-Z]\w{0,60})?(?:Error|Exception|Warning|Interrupt|Exit|Timeout|NotFound)\w{0,20})(?: \[\w+\])?(?::\s?(.*))?$/;
const BARE_FATAL =
  /^(?:FATAL ERROR: )?(.{0,200}(?:heap out of memory|EADDRINUSE|ECONNREFUSED|ENOENT).{0,300})$/;
const PYTHON_PLACES = /^[ \t]*File "([^"\n]{1,400})", line (\d+)/gm;
const SCRIPT_PLACES = /^[ \t]+at (?:.{0,200}\()?((?:file:\/\/)?[^\s()]{1,400}?):(\d+):\d+\)?$/gm;

/** Returns null for a text that is code. */
export function parseFailure(text: string): Failure | null {
  const lines = text.split(/\r?\n/);
  const isTrace =
    /^Traceback \(most recent call last\)/m.test(text) || /^[ \t]+at .{1,400}:\d+:\d+\)?$/m.test(text);
  const errors = lines.flatMap((line) => readErrorLine(line.trim()));
  const isPython = /^Traceback \(most recent call last\)/m.test(text);
  const error = errors.at(isPython ? -1 : 0);
  // A long text without a trace is code that mentions an error, not the output of a failure.
  if (!error || (!isTrace && lines.length > 40)) return null;
  const { type, message } = error;
  const errorText = message ? `${type}: ${message}` : type;
  const rule = RULES.find(([, pattern]) => pattern.test(errorText));
  const groups = rule?.[1].exec(errorText)?.slice(1) ?? [];
  const subject = groups.findLast((group) => group !== undefined)?.replace(/^['"]|['"]$/g, "") ?? null;
  return { kind: rule?.[0] ?? "other", type, message, subject, place: findInnermostPlace(text, isPython) };
}

function readErrorLine(line: string): { type: string; message: string }[] {
  if (line.length > 2_000) return [];
  const [, name, message = ""] = ERROR_LINE.exec(line) ?? [];
  if (name !== undefined) return [{ type: name.slice(name.lastIndexOf(".") + 1), message }];
  const bare = BARE_FATAL.exec(line)?.[1];
  return bare !== undefined && /^(FATAL|Error:)/.test(line)
    ? [{ type: "Error", message: bare.replace(/^Error: /, "") }]
    : [];
}

/** Python prints the innermost place last, JavaScript first. Places in installed packages are skipped if there are others. */
function findInnermostPlace(text: string, isPython: boolean): Failure["place"] {
  const places = [...text.matchAll(isPython ? PYTHON_PLACES : SCRIPT_PLACES)].map(([, file = "", line]) => ({
    file,
    line: Number(line),
  }));
  const own = places.filter(({ file }) => !/site-packages|node_modules|^node:|\/lib\/python/.test(file));
  return (own.length > 0 ? own : places).at(isPython ? -1 : 0) ?? null;
}
