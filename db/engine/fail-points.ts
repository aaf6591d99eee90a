/**
 * MongoDB's fail point `failCommand`, for tests of what stands before the engine: chosen commands fail, hang or lose their connection.
 * It exists only in an engine that was started with its test commands. Two things are the engine's own: `closeConnectionAfterCommand`
 * does the command and closes the connection instead of answering, and a mode may have both `skip` and `times`.
 */

import { fail, failUnsupported } from "./values/errors.ts";
import { present } from "./values/present.ts";
import {
  asArray,
  asDoc,
  asString,
  type Doc,
  isNumber,
  isTruthy,
  toNumber,
  type Value,
} from "./values/values.ts";

/** What befalls one command. */
export interface Fault {
  blockMs: number;
  closesConnection: boolean;
  /** The command is carried out, and its answer is lost. */
  losesAnswer: boolean;
  /** Fails the command before it does anything. */
  errorCode: number | undefined;
  /** Put beside the reply of a command that was carried out. */
  writeConcernError: Doc | undefined;
}

/** Ends the connection without an answer. */
export class ConnectionLost extends Error {}

interface Aim {
  commands: ReadonlySet<string>;
  appName: string | undefined;
  fault: Fault;
}

/** How many commands pass before the first fault, and how many faults there are. */
interface Mode {
  skip: number;
  times: number;
}

const DATA_FIELDS = [
  "appName",
  "blockConnection",
  "blockTimeMS",
  "closeConnection",
  "closeConnectionAfterCommand",
  "errorCode",
  "failCommands",
  "writeConcernError",
];
const NAMED_MODES: Readonly<Record<string, Mode>> = {
  alwaysOn: { skip: 0, times: Number.POSITIVE_INFINITY },
  off: { skip: 0, times: 0 },
};

function requireNatural(value: Value | undefined, field: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  return Number.isInteger(number) && number >= 0 ? number : fail(2, `${field} must be a whole number`);
}

function readMode(value: Value | undefined): Mode {
  if (typeof value === "string" && Object.hasOwn(NAMED_MODES, value))
    return { ...present(NAMED_MODES[value]) };
  if (!(value instanceof Map) || value.size === 0) fail(2, "a fail point needs a mode");
  for (const name of value.keys())
    if (name !== "skip" && name !== "times") failUnsupported(`'${name}' as the mode of a fail point`);
  const skip = value.get("skip");
  const times = value.get("times");
  return {
    skip: skip === undefined ? 0 : requireNatural(skip, "skip"),
    times: times === undefined ? Number.POSITIVE_INFINITY : requireNatural(times, "times"),
  };
}

function readAim(data: Doc): Aim {
  for (const field of data.keys())
    if (!DATA_FIELDS.includes(field)) failUnsupported(`'${field}' of the fail point failCommand`);
  const getField = (field: string): Value | undefined => data.get(field);
  const optional = <T>(field: string, read: (value: Value, field: string) => T): T | undefined =>
    data.has(field) ? read(present(getField(field)), field) : undefined;
  const blockMs = isTruthy(getField("blockConnection"))
    ? requireNatural(getField("blockTimeMS"), "blockTimeMS")
    : 0;
  return {
    commands: new Set(
      (optional("failCommands", asArray) ?? []).map((name) => asString(name, "failCommands")),
    ),
    appName: optional("appName", asString),
    fault: {
      blockMs,
      closesConnection: isTruthy(getField("closeConnection")),
      losesAnswer: isTruthy(getField("closeConnectionAfterCommand")),
      errorCode: optional("errorCode", requireNatural),
      writeConcernError: optional("writeConcernError", asDoc),
    },
  };
}

export class FailPoints {
  #mode: Mode = { skip: 0, times: 0 };
  #aim: Aim = readAim(new Map());
  #struck = 0;

  /** Configures the fail point and returns how often it has applied so far. */
  configure(fields: Doc): number {
    const name = asString(fields.get("configureFailPoint"), "configureFailPoint");
    if (name !== "failCommand") failUnsupported(`the fail point '${name}'`);
    const mode = readMode(fields.get("mode"));
    this.#aim = readAim(asDoc(fields.get("data") ?? new Map(), "data"));
    this.#mode = mode;
    return this.#struck;
  }

  /** Counts one command and returns the fault to apply to it, or undefined. */
  takeFault(command: string, appName: string | undefined): Fault | undefined {
    const { commands, appName: wanted, fault } = this.#aim;
    if (!commands.has(command) || (wanted !== undefined && wanted !== appName)) return undefined;
    if (this.#mode.skip > 0) {
      this.#mode.skip--;
      return undefined;
    }
    if (this.#mode.times <= 0) return undefined;
    this.#mode.times--;
    this.#struck++;
    return fault;
  }
}

/** Runs a command with a fault. `settle` resolves when its changes are on disk. */
export async function runWithFault(
  fault: Fault,
  run: () => Promise<Doc>,
  settle: () => Promise<void>,
): Promise<Doc> {
  const { blockMs, closesConnection, losesAnswer, errorCode, writeConcernError } = fault;
  if (blockMs > 0) await new Promise((resolve) => setTimeout(resolve, blockMs));
  if (closesConnection) throw new ConnectionLost();
  if (errorCode !== undefined) fail(errorCode, "Failing command via 'failCommand' failpoint");
  const reply = await run();
  if (writeConcernError) reply.set("writeConcernError", writeConcernError);
  if (!losesAnswer) return reply;
  await settle();
  throw new ConnectionLost();
}
