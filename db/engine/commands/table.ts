/** Every command the engine knows, and the one way to run one. */
import { ConnectionLost, runWithFault } from "../fail-points.ts";
import { checkDatabaseName } from "../storage/namespace.ts";
import { EngineError, fail } from "../values/errors.ts";
import { asString, type Doc, doc, isNumber, toNumber } from "../values/values.ts";
import type { Message } from "../wire.ts";
import { AGGREGATE } from "./aggregate.ts";
import { CATALOGUE } from "./catalogue.ts";
import { findWriteConcernError } from "./concerns.ts";
import { EXPLAIN } from "./explain.ts";
import { FIND_AND_MODIFY } from "./find-and-modify.ts";
import { HANDSHAKE, SERVER } from "./handshake.ts";
import { READ } from "./read.ts";
import { type Command, type Connection, checkFields, type Engine, type Request } from "./request.ts";
import { toErrorLabels } from "./retryable.ts";
import { errorFields } from "./statements.ts";
import { TESTING } from "./testing.ts";
import { WRITE } from "./write.ts";

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...HANDSHAKE,
    ...READ,
    ...WRITE,
    ...FIND_AND_MODIFY,
    ...AGGREGATE,
    ...CATALOGUE,
    ...EXPLAIN,
    ...SERVER,
  }),
);

const TEST_COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries(TESTING));

function toFailureReply(error: EngineError, fields: Doc): Doc {
  const errorLabels = toErrorLabels(fields, error.code);
  return doc({ ok: 0, ...errorFields(error), codeName: error.codeName, errorLabels });
}

/** Adds error labels to a write that was done but not acknowledged as requested, as for a failed one. */
function labelWriteConcernError(reply: Doc, fields: Doc): void {
  const error = reply.get("writeConcernError");
  const code = error instanceof Map ? error.get("code") : undefined;
  const labels = isNumber(code) ? toErrorLabels(fields, toNumber(code)) : undefined;
  if (labels) reply.set("errorLabels", labels);
}

function requireCommand(name: string, { failPoints }: Engine): Command {
  return (
    COMMANDS.get(name) ?? (failPoints && TEST_COMMANDS.get(name)) ?? fail(59, `no such command: '${name}'`)
  );
}

async function checkAndRun(request: Request): Promise<Doc> {
  const { name, engine, connection } = request;
  const command = requireCommand(name, engine);
  if (!connection.authenticated && !command.open) fail(13, `Command ${name} requires authentication`);
  checkDatabaseName(request.db);
  checkFields(request, command);
  engine.sessions.use(request.fields.get("lsid"), Date.now());
  engine.counters.set(name, (engine.counters.get(name) ?? 0) + 1);
  const fault = engine.failPoints?.takeFault(name, connection.appName);
  const answer = async (): Promise<Doc> => answerCommand(command, request);
  return fault ? runWithFault(fault, answer, () => engine.store.waitForCommit()) : answer();
}

/** Runs a command and adds a write-concern error to its reply if the concern cannot be met. */
async function answerCommand(command: Command, request: Request): Promise<Doc> {
  const reply = await command.run(request);
  const writeConcernError = findWriteConcernError(request.fields);
  if (writeConcernError) reply.set("writeConcernError", writeConcernError);
  return reply;
}

/**
 * Answers a command; everything it did or saw is on disk by then. Faults are answered as such and reported. Undefined
 * ends the connection, which only a fail point asks for.
 */
export async function executeMessage(
  message: Pick<Message, "fields" | "documents" | "refusal">,
  engine: Engine,
  connection: Connection,
  report: (error: unknown) => void,
): Promise<Doc | undefined> {
  const [name = ""] = message.fields.keys();
  if (message.refusal) return toFailureReply(message.refusal, message.fields);
  try {
    const db = asString(message.fields.get("$db") ?? "test", "$db");
    const reply = await checkAndRun({ ...message, name, db, engine, connection });
    await engine.store.waitForCommit();
    labelWriteConcernError(reply, message.fields);
    if (!reply.has("ok")) reply.set("ok", 1);
    return reply;
  } catch (error) {
    if (error instanceof EngineError) return toFailureReply(error, message.fields);
    if (error instanceof ConnectionLost) return undefined;
    report(error);
    return toFailureReply(new EngineError(1, "internal error of the embedded engine"), message.fields);
  }
}
