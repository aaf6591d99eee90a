/**
 * What went wrong, read out of a traceback or an error message of Python, JavaScript or Node. The rules are a table, most
 * telling first; each names a kind of failure and the word that it is about.
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
  /** As the error calls itself, and what it says. */
  type: string;
  message: string;
  /** The word it is about, where the message has one. */
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

// The line of an error: its type in one word, perhaps with a module before it, then its message.
const ERROR_LINE =
  /^(?:Uncaught (?:\(in promise\) )?|Unhandled\w*: )?((?:[A-Za-z_]\w{0,60}\.){0,6}(?:[A-Z]\w{0,60})?(?:Error|Exception|Warning|Interrupt|Exit|Timeout|NotFound)\w{0,20})(?: \[\w+\])?(?::\s?(.*))?$/;
const BARE_FATAL =
  /^(?:FATAL ERROR: )?(.{0,200}(?:heap out of memory|EADDRINUSE|ECONNREFUSED|ENOENT).{0,300})$/;
const PYTHON_PLACES = /^[ \t]*File "([^"\n]{1,400})", line (\d+)/gm;
const SCRIPT_PLACES = /^[ \t]+at (?:.{0,200}\()?((?:file:\/\/)?[^\s()]{1,400}?):(\d+):\d+\)?$/gm;

/** The failure that a text reports, or null where the text is code. */
export function readFailure(text: string): Failure | null {
  const lines = text.split(/\r?\n/);
  const isTrace =
    /^Traceback \(most recent call last\)/m.test(text) || /^[ \t]+at .{1,400}:\d+:\d+\)?$/m.test(text);
  const errors = lines.flatMap((line) => errorIn(line.trim()));
  // Code that mentions an error has no such line, and is longer than the output of a failure.
  const python = /^Traceback \(most recent call last\)/m.test(text);
  const error = errors.at(python ? -1 : 0);
  if (!error || (!isTrace && lines.length > 40)) return null;
  const { type, message } = error;
  const whole = message ? `${type}: ${message}` : type;
  const rule = RULES.find(([, pattern]) => pattern.test(whole));
  const groups = rule?.[1].exec(whole)?.slice(1) ?? [];
  const subject = groups.findLast((group) => group !== undefined)?.replace(/^['"]|['"]$/g, "") ?? null;
  return { kind: rule?.[0] ?? "other", type, message, subject, place: placeIn(text, python) };
}

function errorIn(line: string): { type: string; message: string }[] {
  if (line.length > 2_000) return [];
  const [, name, message = ""] = ERROR_LINE.exec(line) ?? [];
  if (name !== undefined) return [{ type: name.slice(name.lastIndexOf(".") + 1), message }];
  const bare = BARE_FATAL.exec(line)?.[1];
  return bare !== undefined && /^(FATAL|Error:)/.test(line)
    ? [{ type: "Error", message: bare.replace(/^Error: /, "") }]
    : [];
}

/** Python names the innermost place last, JavaScript first; a place in someone else's package is passed over. */
function placeIn(text: string, python: boolean): Failure["place"] {
  const places = [...text.matchAll(python ? PYTHON_PLACES : SCRIPT_PLACES)].map(([, file = "", line]) => ({
    file,
    line: Number(line),
  }));
  const own = places.filter(({ file }) => !/site-packages|node_modules|^node:|\/lib\/python/.test(file));
  return (own.length > 0 ? own : places).at(python ? -1 : 0) ?? null;
}
