import { isolate, isolateLtr } from "#app/i18n/isolate.ts";
import type { SmellKind } from "#domain/code-runs/code-reading.ts";
import type { FailureKind } from "#domain/code-runs/failure-reading.ts";

const code = (word: string | null, otherwise: string) => (word === null ? otherwise : isolateLtr(word));
type About = (subject: string | null) => string;

/** The words of explanations: of the form, of its result, and of the rules that explain without a model. */
export const explain = {
  title: "Explanation",
  open: "Explain",
  question: "What would you like to know?",
  questionHint: "Leave it empty for what the code does and what may go wrong in it.",
  ask: "Explain",
  staysHere: "Read by the rules of this server; nothing leaves it.",
  goesOut: (model: string) => `The text is sent to ${isolateLtr(model)}; secrets are taken out first.`,
  actions: "What to do",
  signals: "What was seen",
  byRules: "By the rules of this server.",
  byModel: (model: string) => `By ${isolateLtr(model)}. It can be wrong.`,
  tooLarge: (kib: number) => `Only texts of up to ${kib} KiB are explained.`,
  unanswered: "Without a model a question of your own cannot be answered; this is what the rules see.",
  failures: {
    missing_module: (name) => `The program needs ${code(name, "a module")}, and it is not there.`,
    missing_name: (name) => `${code(name, "A name")} is used before it has a value, or is misspelt.`,
    none_used: (name) =>
      `Something is empty (None, null or undefined) where a value was expected${name === null ? "" : `: ${isolateLtr(name)} was asked of it`}.`,
    missing_member: (name) => `The object has no ${code(name, "such member")}.`,
    missing_key: (name) => `There is no entry under the key ${code(name, "that was asked for")}.`,
    index_out_of_range: () => "A list was asked for a place that it does not have.",
    wrong_arguments: (name) => `${code(name, "A function")} was called with other arguments than it takes.`,
    not_callable: (name) => `${code(name, "Something")} is called as a function and is none.`,
    bad_number: (text) => `${code(text, "A text")} was to become a number and is not one.`,
    bad_json: () => "A text was read as JSON and is not JSON.",
    bad_syntax: () =>
      "The code cannot be read: a bracket, a quote, a colon or a comma is missing or too many.",
    bad_indentation: () => "The indentation of the code does not fit its blocks.",
    division_by_zero: () => "Something was divided by zero.",
    file_missing: (path) => `${code(path, "A file")} was opened and does not exist.`,
    not_permitted: () => "The program may not do this: a permission is missing.",
    bad_encoding: () => "Bytes were read as text in an encoding that they are not in.",
    too_deep: () => "A function calls itself without an end.",
    out_of_memory: () => "The program needed more memory than it may have.",
    unreachable: () => "Another service could not be reached.",
    too_slow: () => "Something took longer than it was given.",
    port_taken: (port) => `Port ${code(port, "")} is in use by another program.`,
    failed_assertion: () => "Something that the code takes for certain was not so.",
    wrong_type: () => "A value has another type than the operation takes.",
    other: () => "The program stopped with an error.",
  } satisfies Record<FailureKind, About>,
  remedies: {
    missing_module: (name) =>
      `Install ${code(name, "it")}, or correct its name or path; check that the right environment is active.`,
    missing_name: (name) =>
      `Look for the spelling of ${code(name, "the name")}, and give it a value or import it first.`,
    none_used: () =>
      "Find out why it is empty: check what the call before it returned, and treat the empty case.",
    missing_member: (name) =>
      `Print the type of the object; ${code(name, "the member")} may belong to another one or be misspelt.`,
    missing_key: () =>
      "Ask with a default (get), or check that the key is there first; look at the real keys.",
    index_out_of_range: () => "Check the length before, and whether the loop runs one step too far.",
    wrong_arguments: () => "Compare the call with the definition, argument by argument.",
    not_callable: () =>
      "See what it really holds: a name may hide a function, or an import may bring a module instead.",
    bad_number: () => "Trim and check the text first, and say what happens when it is no number.",
    bad_json: () => "Print the first characters of the text: often it is an error page or empty.",
    bad_syntax: () => "Look at the named line and at the one before it.",
    bad_indentation: () => "Use spaces alone, and the same number for each step.",
    division_by_zero: () => "Treat the case of nothing (an empty list, a count of zero) before dividing.",
    file_missing: () =>
      "Print the absolute path and the working directory; build paths from the place of the program.",
    not_permitted: () =>
      "Look at the owner and rights of the file or port, and do not simply run as administrator.",
    bad_encoding: () =>
      "Name the encoding when opening, usually utf-8; find out which one the text really has.",
    too_deep: () => "Check the case that should end the recursion, or use a loop.",
    out_of_memory: () => "Work on the input piece by piece, and look for lists that only grow.",
    unreachable: () => "Check that the service runs, its address and port, and what lies between.",
    too_slow: () => "Find what it waited for; give it a limit of its own and a second try.",
    port_taken: () => "Stop the other program, or choose another port.",
    failed_assertion: () => "Print both sides of the comparison, and decide which of them is wrong.",
    wrong_type: () => "Print the types of all values of that line, and convert on purpose.",
    other: () => "Begin at the named place, and print the values of its line.",
  } satisfies Record<FailureKind, About>,
  smells: {
    bare_except: "A bare except also catches Ctrl+C and typing errors; name the errors that are expected.",
    swallowed_error: "An error is swallowed without a word; write it down or let it pass.",
    runs_text: "A text is run as code; whoever controls the text controls the program.",
    mutable_default: "A list or dictionary as a default is shared by all calls; use None and make it inside.",
    compares_none: "Compare with None by `is`, not by `==`.",
    shell_command:
      "A command goes through the shell; pass a list of words instead, so that no input becomes a command.",
    unverified_tls: "The certificate is not checked; anyone in between can read and change the traffic.",
    loose_equality: "`==` converts types in surprising ways; use `===`.",
    old_var: "`var` lives in the whole function; use `const` or `let`.",
    raw_html: "HTML is put in as text; input from outside could run scripts.",
    debug_output: "Output for debugging was left in.",
    sql_from_text: "A query is put together from text; use parameters, or input can change the query.",
    select_all: "`SELECT *` reads columns that nobody needs and breaks when columns change; name them.",
    unquoted_remove:
      "`rm -r` with an unquoted variable deletes something else when it is empty or has spaces.",
    secret_inside: "A key or password stands in the code; move it into the environment and replace it.",
    left_to_do: "A note in the code says that something is left to do.",
    merge_marks: "Marks of an unfinished merge were left in.",
    long_lines: "Lines of more than 160 characters are hard to read and compare.",
  } satisfies Record<SmellKind, string>,
  atLines: (lines: readonly number[], advice: string) =>
    `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")}: ${advice}`,
  at: (file: string, line: number) => `in ${isolateLtr(file)}, line ${line}`,
  summary: (language: string, lines: number) =>
    `${isolate(language)}, ${lines === 1 ? "1 line" : `${lines} lines`}.`,
  defines: (names: readonly string[]) => `It defines ${names.map(isolateLtr).join(", ")}.`,
  uses: (names: readonly string[]) => `It uses ${names.map(isolateLtr).join(", ")}.`,
  nothingDefined: "It defines nothing of its own and runs from top to bottom.",
  looksGood: "Nothing stands out; read it from the first function on, and run it with a small input.",
  facts: {
    language: "Language",
    lines: "Lines",
    imports: "Imports",
    functions: "Functions",
    classes: "Types",
    error: "Error",
    place: "Place",
  },
  fact: (name: string, value: string) => `${name}: ${isolate(value)}`,
};
