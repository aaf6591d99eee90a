import { basename, dirname, relative } from "node:path";

export const EXIT = { ok: 0, failed: 1, usage: 2, notLoggedIn: 3, network: 4, interrupted: 130 };

/** Ends a command with an exit code, a code for programs and a sentence for people. */
export class Failure extends Error {
  readonly exitCode: number;
  readonly code: string;
  readonly context: object;

  constructor(exitCode: number, code: string, message: string, context: object = {}) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.context = context;
  }
}

export function describeStart() {
  const program = process.argv[1] ?? "codeshelf";
  if (basename(dirname(program)) === ".bin") return "npx codeshelf";
  if (!/\.(mjs|ts)$/.test(program)) return basename(program);
  const near = relative(process.cwd(), program);
  const path = near.startsWith("..") ? program : near;
  return `node ${/[\s"'$]/.test(path) ? JSON.stringify(path) : path}`;
}

export const usageFailure = (message: string) => new Failure(EXIT.usage, "usage", message);

export const failure = (code: string, message: string, context?: object) =>
  new Failure(EXIT.failed, code, message, context);

export function messageFrom(error: unknown) {
  if (hasCode(error, "ENAMETOOLONG")) return "the name is too long for this disk";
  return error instanceof Error ? error.message : String(error);
}

export const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && error.exitCode === EXIT.failed;

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;

const toUnicodeEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
const escapeCharacter = (char: string) => toUnicodeEscape(char).replace(/u00/, "x");

/** A name on one line, with everything that could steer a terminal or turn the text around made visible. */
export const cleanName = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeCharacter);

/** Text of several lines for a terminal. Colours are kept, all else that steers it is made visible. */
export const cleanText = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  text.replace(/\x1b\[[\d;]*m|\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (characters) =>
    characters.length > 1 ? characters : escapeCharacter(characters),
  );

/** As JSON, on one line; what JSON leaves raw and a terminal obeys is escaped. */
export const toJsonLine = (value: unknown) =>
  JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029]/g, toUnicodeEscape);

const COLOURS = { red: 31, green: 32, yellow: 33, blue: 34, grey: 90, bold: 1 };

function hasColours(stream: NodeJS.WriteStream) {
  return Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

export type Colour = keyof typeof COLOURS;

export const paint = (colour: Colour, text: string, stream: NodeJS.WriteStream = process.stdout) =>
  hasColours(stream) ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text;

const REMARK_EVERY_MS = 10_000;

/** Prints lines for people, or with --json one value for programs. */
export class Output {
  readonly json: boolean;
  #hasProgress = false;
  #remarkedAt = Date.now();

  constructor(json: boolean) {
    this.json = json;
  }

  /** A line for people; nothing where JSON was asked for. */
  printLine(text: string) {
    this.clearProgress();
    if (!this.json) process.stdout.write(`${text}\n`);
  }

  printJson(value: unknown) {
    this.clearProgress();
    if (this.json) process.stdout.write(`${toJsonLine(value)}\n`);
  }

  /** A remark that is not the answer. */
  printRemark(text: string) {
    this.clearProgress();
    process.stderr.write(`${text}\n`);
  }

  /** How far it is: on the last line of a terminal, elsewhere in a line every ten seconds. */
  showProgress(text: string) {
    if (!process.stderr.isTTY) {
      if (Date.now() - this.#remarkedAt < REMARK_EVERY_MS) return;
      this.#remarkedAt = Date.now();
      process.stderr.write(`${cleanName(text)}\n`);
      return;
    }
    const room = Math.max(20, (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r\x1b[K${[...cleanName(text)].slice(0, room).join("")}`);
    this.#hasProgress = true;
  }

  clearProgress() {
    if (this.#hasProgress) process.stderr.write("\r\x1b[K");
    this.#hasProgress = false;
  }
}

export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `2026-11-16 17:46` where this machine is. */
export function writeMoment(moment: Date, separator: string) {
  const pad = (number: number) => String(number).padStart(2, "0");
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
  return `${day} ${pad(moment.getHours())}${separator}${pad(moment.getMinutes())}`;
}
