#!/usr/bin/env node
import { parseArgs } from "node:util";
import type { Command, OptionSpec, OptionValues } from "./command.ts";
/**
 * The command line of Codeshelf. The build makes one file of it that needs nothing but Node 20 or newer, so that it can be copied
 * anywhere; the server sends that file at /codeshelf.mjs.
 *
 * Names that come from a server are not trusted: they are checked before anything is written under them, and control characters
 * are never sent to a terminal. A file is written beside its place and then renamed, so that it is whole or as it was.
 */
import { COMMANDS, COMMON_OPTIONS } from "./commands.ts";
import { listenForSignals } from "./input.ts";
import {
  cleanName,
  describeStart,
  EXIT,
  Failure,
  failure,
  messageFrom,
  Output,
  paint,
  toJsonLine,
  usageFailure,
} from "./output.ts";
import { VERSION } from "./requests.ts";

const EXIT_HELP = `Exit codes:
  0  done
  1  refused by the server, or failed
  2  not understood
  3  not logged in, or the token is no longer valid
  4  the server cannot be reached
  run ends with the exit code of the program.`;

function describeCommands() {
  const shown = Object.values(COMMANDS).filter(({ hidden }) => !hidden);
  const width = Math.max(...shown.map(({ usage }) => usage.length));
  const rows = shown.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`);
  return `Usage: codeshelf <command>

${rows.join("\n")}

codeshelf <command> --help says more. --json works everywhere.

${EXIT_HELP}`;
}

function describeCommand({ usage, summary, options, more }: Command) {
  const all = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, { short, value, help }]) => [
    `${short ? `-${short}, ` : "    "}--${name}${value ? ` <${value}>` : ""}`,
    help,
  ]);
  const width = Math.max(...all.map(([flag = ""]) => flag.length));
  const rows = all.map(([flag = "", help]) => `  ${flag.padEnd(width)}  ${help}`);
  return [`Usage: codeshelf ${usage}`, `${summary}.`, more, rows.join("\n")].filter(Boolean).join("\n\n");
}

/**
 * A typed text may contain words that begin with a dash: those that are no options of the command belong to the text.
 */
function separateText(typed: string[], specs: Record<string, OptionSpec>) {
  if (typed.length === 1 && typed[0] === "-h") return typed;
  const [options, text] = [[] as string[], [] as string[]];
  for (let i = 0; i < typed.length; i += 1) {
    const word = typed[i] ?? "";
    if (word === "--") return [...options, "--", ...text, ...typed.slice(i + 1)];
    const [, name = "", value] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
    if (!Object.hasOwn(specs, name)) text.push(word);
    else if (specs[name]?.type === "boolean" || value !== undefined) options.push(word);
    else {
      options.push(word, typed[i + 1] ?? "");
      i += 1;
    }
  }
  return [...options, "--", ...text];
}

function parseCall(command: Command, typed: string[]) {
  const specs = { ...command.options, ...COMMON_OPTIONS };
  const args = command.takesText ? separateText(typed, specs) : typed;
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short }]) => [name, short ? { type, short } : { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { words: positionals, options: values as OptionValues };
  } catch (error) {
    throw usageFailure(messageFrom(error).split(". To specify")[0] ?? "");
  }
}

/** Names of the same commands in other tools. */
const OTHER_NAMES: Record<string, string> = {
  ...{ list: "ls", dir: "ls", files: "ls", save: "push", upload: "push", add: "push", put: "push" },
  ...{ download: "pull", get: "pull", show: "cat", read: "cat", find: "search", grep: "search" },
};

const suggestCommand = (name: string) =>
  Object.hasOwn(OTHER_NAMES, name) ? ` Did you mean ${OTHER_NAMES[name]}?` : "";

export async function runCommand([name, ...following]: string[], output: Output) {
  if (name === "--version" || name === "-v") {
    process.stdout.write(output.json ? `${toJsonLine({ version: VERSION })}\n` : `${VERSION}\n`);
    return EXIT.ok;
  }
  if (name === "help" && following[0] !== undefined) return runCommand([following[0], "--help"], output);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(`${describeCommands()}\n`);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command)
    throw usageFailure(
      `There is no command “${cleanName(name)}”.${suggestCommand(name)} See: ${describeStart()} --help`,
    );
  const { words, options } = parseCall(command, following);
  if (options.help) {
    process.stdout.write(`${describeCommand(command)}\n`);
    return EXIT.ok;
  }
  const least = command.usage.split("<").length - 1;
  const most = command.usage.includes("…")
    ? Number.POSITIVE_INFINITY
    : command.usage.split(/[<[]/).length - 1;
  if (words.length < least || words.length > most) throw usageFailure(`Usage: codeshelf ${command.usage}`);
  return command.act({ output, words, options, commands: COMMANDS });
}

async function main() {
  const typed = process.argv.slice(2);
  const end = typed.indexOf("--");
  const output = new Output(typed.slice(0, end === -1 ? typed.length : end).includes("--json"));
  listenForSignals();
  try {
    process.exitCode = await runCommand(
      typed[0] === "--json" ? [...typed.slice(1), "--json"] : typed,
      output,
    );
  } catch (error) {
    const reported = error instanceof Failure ? error : failure("unexpected", messageFrom(error));
    output.printJson({ ok: false, ...reported.context, code: reported.code, message: reported.message });
    output.printRemark(paint("red", `codeshelf: ${reported.message}`, process.stderr));
    process.exitCode = reported.exitCode;
  }
  output.clearProgress();
}

await main();
