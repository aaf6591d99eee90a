import { isolate, isolateLtr } from "#app/i18n/isolate.ts";
import type { SmellKind } from "#domain/code-runs/code-reading.ts";
import type { FailureKind } from "#domain/code-runs/failure-reading.ts";

const code = (word: string | null, otherwise: string) => (word === null ? otherwise : isolateLtr(word));
type About = (subject: string | null) => string;

/** Words of explanations: of the form, of its result, and of the rules that explain without a model. */
export const explain = {
  title: "Explanation",
  open: "Explain",
  question: "What do you want to know?",
  questionHint: "Leave empty for a general explanation.",
  ask: "Explain",
  staysHere: "Analysed on this server; nothing is sent elsewhere.",
  goesOut: (model: string) => `The code is sent to ${isolateLtr(model)}, without secrets.`,
  actions: "What to do",
  signals: "Signals",
  byRules: "Analysed on this server.",
  byModel: (model: string) => `Written by ${isolateLtr(model)}. May contain mistakes.`,
  tooLarge: (kib: number) => `The code is too large. The limit is ${kib} KiB.`,
  unanswered:
    "No model is set up, so your question can’t be answered. Here is what the built-in rules found.",
  failures: {
    missing_module: (name) => `${code(name, "A module")} is not installed or not found.`,
    missing_name: (name) =>
      `${code(name, "A name")} is not defined: used before it has a value, or misspelt.`,
    none_used: (name) =>
      `A value is empty (None, null or undefined)${name === null ? "." : `, so ${isolateLtr(name)} can’t be read from it.`}`,
    missing_member: (name) => `The object has no ${code(name, "such attribute")}.`,
    missing_key: (name) =>
      name === null ? "A key does not exist." : `Key ${isolateLtr(name)} does not exist.`,
    index_out_of_range: () => "Index out of range.",
    wrong_arguments: (name) => `${code(name, "A function")} got the wrong arguments.`,
    not_callable: (name) => `${code(name, "A value")} is called but is not a function.`,
    bad_number: (text) => `${code(text, "A text")} is not a number.`,
    bad_json: () => "The text is not valid JSON.",
    bad_syntax: () => "Syntax error: a bracket, quote, colon or comma is missing or extra.",
    bad_indentation: () => "The indentation is wrong.",
    division_by_zero: () => "Division by zero.",
    file_missing: (path) => `${code(path, "A file")} does not exist.`,
    not_permitted: () => "Permission denied.",
    bad_encoding: () => "The text has another encoding.",
    too_deep: () => "A function calls itself without end.",
    out_of_memory: () => "The program ran out of memory.",
    unreachable: () => "Another service could not be reached.",
    too_slow: () => "Something timed out.",
    port_taken: (port) => (port === null ? "The port is in use." : `Port ${isolateLtr(port)} is in use.`),
    failed_assertion: () => "An assertion failed.",
    wrong_type: () => "A value has the wrong type.",
    other: () => "The program stopped with an error.",
  } satisfies Record<FailureKind, About>,
  remedies: {
    missing_module: (name) =>
      `Install ${code(name, "it")}, or fix its name or path. Check that the right environment is active.`,
    missing_name: (name) => `Check the spelling of ${code(name, "the name")}, or define or import it first.`,
    none_used: () => "Check what the call before it returned, and handle the empty case.",
    missing_member: (name) =>
      `Print the object’s type; ${code(name, "the attribute")} may be misspelt or belong to another type.`,
    missing_key: () => "Use a default (get), or check that the key exists. Print the real keys.",
    index_out_of_range: () => "Check the length first, and whether the loop goes one step too far.",
    wrong_arguments: () => "Compare the call with the function’s definition.",
    not_callable: () =>
      "Print what it holds: a variable may hide a function, or a module was imported instead.",
    bad_number: () => "Trim and check the text first, and handle text that is not a number.",
    bad_json: () => "Print the start of the text: often it is empty or an error page.",
    bad_syntax: () => "Check this line and the one before it.",
    bad_indentation: () => "Use only spaces, the same number for each level.",
    division_by_zero: () => "Handle the empty case before dividing.",
    file_missing: () =>
      "Print the absolute path and the working directory. Build paths from the program’s folder.",
    not_permitted: () => "Check the owner and permissions. Avoid running as administrator.",
    bad_encoding: () => "Set the encoding when opening, usually utf-8.",
    too_deep: () => "Check the case that ends the recursion, or use a loop.",
    out_of_memory: () => "Process the input in parts, and look for lists that keep growing.",
    unreachable: () => "Check that the service is running, and its address, port and firewall.",
    too_slow: () => "Find what it waited for. Set a timeout and retry.",
    port_taken: () => "Stop the other program, or use another port.",
    failed_assertion: () => "Print both sides of the comparison.",
    wrong_type: () => "Print the types of the values on this line, and convert them.",
    other: () => "Start at this line and print its values.",
  } satisfies Record<FailureKind, About>,
  smells: {
    bare_except: "A bare except also catches Ctrl+C and typos. Name the errors you expect.",
    swallowed_error: "An error is ignored. Log it or let it pass.",
    runs_text: "Text is run as code. Whoever controls it controls the program.",
    mutable_default: "A mutable default is shared by all calls. Use None and create it inside.",
    compares_none: "Compare with None using `is`, not `==`.",
    shell_command: "The command goes through the shell. Pass a list of arguments instead.",
    unverified_tls: "The certificate is not checked, so others can read the traffic.",
    loose_equality: "`==` converts types. Use `===`.",
    old_var: "`var` is visible in the whole function. Use `const` or `let`.",
    raw_html: "Unescaped HTML can run scripts from outside input.",
    debug_output: "Debug output was left in.",
    sql_from_text: "The query is built from text. Use parameters to prevent SQL injection.",
    select_all: "`SELECT *` reads columns you don’t need. Name them.",
    unquoted_remove: "`rm -r` with an unquoted variable can delete the wrong files.",
    secret_inside: "A key or password is in the code. Move it to the environment and replace it.",
    left_to_do: "A to-do comment was left in.",
    merge_marks: "Merge conflict markers were left in.",
    long_lines: "Lines over 160 characters are hard to read.",
  } satisfies Record<SmellKind, string>,
  atLines: (lines: readonly number[], advice: string) =>
    `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")}: ${advice}`,
  at: (file: string, line: number) => `in ${isolateLtr(file)}, line ${line}`,
  summary: (language: string, lines: number) =>
    `${isolate(language)}, ${lines === 1 ? "1 line" : `${lines} lines`}.`,
  defines: (names: readonly string[]) => `Defines ${names.map(isolateLtr).join(", ")}.`,
  uses: (names: readonly string[]) => `Uses ${names.map(isolateLtr).join(", ")}.`,
  nothingDefined: "Runs from top to bottom.",
  looksGood: "No problems found. Try it with a small input.",
  facts: {
    language: "Language",
    lines: "Lines",
    imports: "Imports",
    functions: "Functions",
    classes: "Types",
    error: "Error",
    place: "Location",
  },
  fact: (name: string, value: string) => `${name}: ${isolate(value)}`,
};
