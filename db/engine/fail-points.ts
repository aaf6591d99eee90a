/**
 * Fail points of MongoDB, for tests of what stands before the engine. They exist only in an engine that was started with
 * its test commands.
 *
 * `failCommand`: chosen commands fail, hang or lose their connection. Two things are the engine's own:
 * `closeConnectionAfterCommand` does the command and closes the connection instead of answering, and a mode may have
 * both `skip` and `times`.
 * `onPrimaryTransactionalWrite`: a statement of a retryable write loses its connection, after it was done or before.
 */

import { fail, unsupported } from "./values/errors.ts";
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
  /** In place of those that the error has by itself. */
  errorLabels: Value[] | undefined;
}

/** Ends the connection without an answer. */
export class ConnectionLost extends Error {}

interface Aim {
  commands: ReadonlySet<string>;
  appName: string | undefined;
  fault: Fault;
}

/** What befalls one statement of a retryable write. */
interface WriteFault {
  closesConnection: boolean;
  /** The statement is not done; undefined: it is. */
  errorCode: number | undefined;
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
  "errorLabels",
  "failCommands",
  "writeConcernError",
];
const NAMED_MODES: Readonly<Record<string, Mode>> = {
  alwaysOn: { skip: 0, times: Number.POSITIVE_INFINITY },
  off: { skip: 0, times: 0 },
};

function natural(value: Value | undefined, field: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  return Number.isInteger(number) && number >= 0 ? number : fail(2, `${field} must be a whole number`);
}

function readMode(value: Value | undefined): Mode {
  if (typeof value === "string" && Object.hasOwn(NAMED_MODES, value))
    return { ...present(NAMED_MODES[value]) };
  if (!(value instanceof Map) || value.size === 0) fail(2, "a fail point needs a mode");
  for (const name of value.keys())
    if (name !== "skip" && name !== "times") unsupported(`'${name}' as the mode of a fail point`);
  const skip = value.get("skip");
  const times = value.get("times");
  return {
    skip: skip === undefined ? 0 : natural(skip, "skip"),
    times: times === undefined ? Number.POSITIVE_INFINITY : natural(times, "times"),
  };
}

function readAim(data: Doc): Aim {
  for (const field of data.keys())
    if (!DATA_FIELDS.includes(field)) unsupported(`'${field}' of the fail point failCommand`);
  const given = (field: string): Value | undefined => data.get(field);
  const optional = <T>(field: string, read: (value: Value, field: string) => T): T | undefined =>
    data.has(field) ? read(present(given(field)), field) : undefined;
  const blockMs = isTruthy(given("blockConnection")) ? natural(given("blockTimeMS"), "blockTimeMS") : 0;
  return {
    commands: new Set(
      (optional("failCommands", asArray) ?? []).map((name) => asString(name, "failCommands")),
    ),
    appName: optional("appName", asString),
    fault: {
      blockMs,
      closesConnection: isTruthy(given("closeConnection")),
      losesAnswer: isTruthy(given("closeConnectionAfterCommand")),
      errorCode: optional("errorCode", natural),
      writeConcernError: optional("writeConcernError", asDoc),
      errorLabels: optional("errorLabels", asArray),
    },
  };
}

function readWriteFault(data: Doc): WriteFault {
  for (const field of data.keys())
    if (field !== "closeConnection" && field !== "failBeforeCommitExceptionCode")
      unsupported(`'${field}' of the fail point onPrimaryTransactionalWrite`);
  const code = data.get("failBeforeCommitExceptionCode");
  return {
    closesConnection: isTruthy(data.get("closeConnection") ?? true),
    errorCode: code === undefined ? undefined : natural(code, "failBeforeCommitExceptionCode"),
  };
}

/** When a fail point strikes. */
class Trigger {
  #mode: Mode = { skip: 0, times: 0 };
  struck = 0;

  set(mode: Mode): void {
    this.#mode = mode;
  }

  /** Counts one command or statement, and says whether it is struck. */
  pull(): boolean {
    if (this.#mode.skip > 0) {
      this.#mode.skip--;
      return false;
    }
    if (this.#mode.times <= 0) return false;
    this.#mode.times--;
    this.struck++;
    return true;
  }
}

export class FailPoints {
  readonly #commands = new Trigger();
  readonly #writes = new Trigger();
  #aim: Aim = readAim(new Map());
  #writeFault: WriteFault = readWriteFault(new Map());

  /** Answers how often the fail point has struck so far. */
  configure(fields: Doc): number {
    const name = asString(fields.get("configureFailPoint"), "configureFailPoint");
    const mode = readMode(fields.get("mode"));
    const data = asDoc(fields.get("data") ?? new Map(), "data");
    if (name === "failCommand") this.#aim = readAim(data);
    else if (name === "onPrimaryTransactionalWrite") this.#writeFault = readWriteFault(data);
    else unsupported(`the fail point '${name}'`);
    const trigger = name === "failCommand" ? this.#commands : this.#writes;
    trigger.set(mode);
    return trigger.struck;
  }

  strike(command: string, appName: string | undefined): Fault | undefined {
    const { commands, appName: wanted, fault } = this.#aim;
    if (!commands.has(command) || (wanted !== undefined && wanted !== appName)) return undefined;
    return this.#commands.pull() ? fault : undefined;
  }

  /** Called before each statement of a retryable write. */
  beforeWrite(): void {
    if (this.#writeFault.errorCode !== undefined && this.#writes.pull()) this.#failWrite();
  }

  /** Called after each statement of a retryable write that wrote something, when it is on disk. */
  afterWrite(): void {
    if (this.#writeFault.errorCode === undefined && this.#writes.pull()) this.#failWrite();
  }

  #failWrite(): void {
    const { closesConnection, errorCode } = this.#writeFault;
    if (closesConnection) throw new ConnectionLost();
    if (errorCode !== undefined) fail(errorCode, "Failing write via 'onPrimaryTransactionalWrite' failpoint");
  }
}

/** Carries a command out as its fault wants it. `settle` resolves when what was done is on disk. */
export async function runWithFault(
  fault: Fault,
  run: () => Promise<Doc>,
  settle: () => Promise<void>,
): Promise<Doc> {
  const { blockMs, closesConnection, losesAnswer, errorCode, errorLabels, writeConcernError } = fault;
  if (blockMs > 0) await new Promise((resolve) => setTimeout(resolve, blockMs));
  if (closesConnection) throw new ConnectionLost();
  if (errorCode !== undefined)
    fail(errorCode, "Failing command via 'failCommand' failpoint", { errorLabels });
  const reply = await run();
  if (writeConcernError) reply.set("writeConcernError", writeConcernError);
  if (writeConcernError && errorLabels) reply.set("errorLabels", errorLabels);
  if (!losesAnswer) return reply;
  await settle();
  throw new ConnectionLost();
}
