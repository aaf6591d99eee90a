/** Every command the engine knows, and the one way to run one. */
import { ConnectionLost, underFault } from "../fail-points.ts";
import { checkDatabaseName } from "../storage/store.ts";
import { EngineError, fail } from "../values/errors.ts";
import { asString, type Doc, doc, type Value } from "../values/values.ts";
import type { Message } from "../wire.ts";
import { AGGREGATE } from "./aggregate.ts";
import { CATALOGUE } from "./catalogue.ts";
import { EXPLAIN } from "./explain.ts";
import { HANDSHAKE } from "./handshake.ts";
import { READ } from "./read.ts";
import { type Command, type Connection, checkFields, type Engine, type Request } from "./request.ts";
import { SHELL } from "./shell.ts";
import { TESTING } from "./testing.ts";
import { errorFields, WRITE } from "./write.ts";

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ...HANDSHAKE, ...READ, ...WRITE, ...AGGREGATE, ...CATALOGUE, ...EXPLAIN, ...SHELL }),
);

const TEST_COMMANDS: ReadonlyMap<string, Command> = new Map(Object.entries(TESTING));

function failure(error: EngineError): Doc {
  const { errorLabels } = error.context as Record<string, Value | undefined>;
  return doc({ ok: 0, ...errorFields(error), codeName: error.codeName, errorLabels });
}

function commandNamed(name: string, { failPoints }: Engine): Command {
  return (
    COMMANDS.get(name) ?? (failPoints && TEST_COMMANDS.get(name)) ?? fail(59, `no such command: '${name}'`)
  );
}

async function run(request: Request): Promise<Doc> {
  const { name, engine, connection } = request;
  const command = commandNamed(name, engine);
  if (!connection.authenticated && !command.open) fail(13, `Command ${name} requires authentication`);
  checkDatabaseName(request.db);
  checkFields(request, command);
  engine.sessions.use(request.fields.get("lsid"), Date.now());
  engine.counters.set(name, (engine.counters.get(name) ?? 0) + 1);
  const fault = engine.failPoints?.strike(name, connection.appName);
  return fault ? underFault(fault, async () => command.run(request)) : command.run(request);
}

/**
 * Answers a command; everything it did or saw is on disk by then. Faults are answered as such and reported. Undefined
 * ends the connection, which only a fail point asks for.
 */
export async function execute(
  message: Pick<Message, "fields" | "documents" | "refusal">,
  engine: Engine,
  connection: Connection,
  report: (error: unknown) => void,
): Promise<Doc | undefined> {
  const [name = ""] = message.fields.keys();
  if (message.refusal) return failure(message.refusal);
  try {
    const db = asString(message.fields.get("$db") ?? ("test" as Value), "$db");
    const reply = await run({ ...message, name, db, engine, connection });
    await engine.store.settled();
    if (!reply.has("ok")) reply.set("ok", 1);
    return reply;
  } catch (error) {
    if (error instanceof EngineError) return failure(error);
    if (error instanceof ConnectionLost) return undefined;
    report(error);
    return failure(new EngineError(1, "internal error of the embedded engine"));
  }
}
