/**
 * MongoDB's fail point `failCommand`, for tests of what stands before the engine: chosen commands fail, hang or
 * lose their connection. It exists only in an engine that was started with its test commands.
 */
import { fail, unsupported } from "./values/errors.ts";
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
  /** Fails the command before it does anything. */
  errorCode: number | undefined;
  /** Put beside the reply of a command that was carried out. */
  writeConcernError: Doc | undefined;
  errorLabels: Value[] | undefined;
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

function modeOf(value: Value | undefined): Mode {
  if (typeof value === "string" && Object.hasOwn(NAMED_MODES, value)) return { ...NAMED_MODES[value] };
  if (!(value instanceof Map) || value.size !== 1) fail(2, "a fail point needs a mode");
  if (value.has("times")) return { skip: 0, times: natural(value.get("times"), "times") };
  if (value.has("skip")) return { skip: natural(value.get("skip"), "skip"), times: Number.POSITIVE_INFINITY };
  return unsupported("this mode of a fail point");
}

function aimOf(data: Doc): Aim {
  for (const field of data.keys())
    if (!DATA_FIELDS.includes(field)) unsupported(`'${field}' of the fail point failCommand`);
  const given = (field: string): Value | undefined => data.get(field);
  const optional = <T>(field: string, read: (value: Value, field: string) => T): T | undefined =>
    data.has(field) ? read(given(field)!, field) : undefined;
  const blockMs = isTruthy(given("blockConnection")) ? natural(given("blockTimeMS"), "blockTimeMS") : 0;
  return {
    commands: new Set(
      (optional("failCommands", asArray) ?? []).map((name) => asString(name, "failCommands")),
    ),
    appName: optional("appName", asString),
    fault: {
      blockMs,
      closesConnection: isTruthy(given("closeConnection")),
      errorCode: optional("errorCode", natural),
      writeConcernError: optional("writeConcernError", asDoc),
      errorLabels: optional("errorLabels", asArray),
    },
  };
}

export class FailPoints {
  #aim: Aim = aimOf(new Map());
  #mode: Mode = { skip: 0, times: 0 };
  #struck = 0;

  /** Answers how often the fail point has struck so far. */
  configure(fields: Doc): number {
    const name = asString(fields.get("configureFailPoint"), "configureFailPoint");
    if (name !== "failCommand") unsupported(`the fail point '${name}'`);
    const mode = modeOf(fields.get("mode"));
    const aim = aimOf(asDoc(fields.get("data") ?? new Map(), "data"));
    this.#mode = mode;
    this.#aim = aim;
    return this.#struck;
  }

  strike(command: string, appName: string | undefined): Fault | undefined {
    const aim = this.#aim;
    if (!aim.commands.has(command) || (aim.appName !== undefined && aim.appName !== appName))
      return undefined;
    if (this.#mode.skip > 0) {
      this.#mode.skip--;
      return undefined;
    }
    if (this.#mode.times <= 0) return undefined;
    this.#mode.times--;
    this.#struck++;
    return aim.fault;
  }
}

/** Carries a command out as its fault wants it. */
export async function underFault(fault: Fault, run: () => Promise<Doc>): Promise<Doc> {
  const { blockMs, closesConnection, errorCode, errorLabels, writeConcernError } = fault;
  if (blockMs > 0) await new Promise((resolve) => setTimeout(resolve, blockMs));
  if (closesConnection) throw new ConnectionLost();
  if (errorCode !== undefined)
    fail(errorCode, "Failing command via 'failCommand' failpoint", { errorLabels });
  const reply = await run();
  if (writeConcernError) reply.set("writeConcernError", writeConcernError);
  if (writeConcernError && errorLabels) reply.set("errorLabels", errorLabels);
  return reply;
}
