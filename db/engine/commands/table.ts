/** Every command the engine knows, and the one way to run one. */
import { EngineError, fail } from "../values/errors.ts";
import { asString, type Doc, doc, type Value } from "../values/values.ts";
import type { Message } from "../wire.ts";
import { AGGREGATE } from "./aggregate.ts";
import { CATALOGUE } from "./catalogue.ts";
import { EXPLAIN } from "./explain.ts";
import { HANDSHAKE } from "./handshake.ts";
import { READ } from "./read.ts";
import { type Command, type Connection, checkFields, type Engine, type Request } from "./request.ts";
import { errorFields, WRITE } from "./write.ts";

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ...HANDSHAKE, ...READ, ...WRITE, ...AGGREGATE, ...CATALOGUE, ...EXPLAIN }),
);

function failure(error: EngineError): Doc {
  return doc({ ok: 0, ...errorFields(error), codeName: error.codeName });
}

async function run(request: Request): Promise<Doc> {
  const { name, engine, connection } = request;
  const command = COMMANDS.get(name) ?? fail(59, `no such command: '${name}'`);
  if (!connection.authenticated && !command.open) fail(13, `Command ${name} requires authentication`);
  checkFields(request, command);
  engine.counters.set(name, (engine.counters.get(name) ?? 0) + 1);
  return command.run(request);
}

/** Answers a command; everything it did or saw is on disk by then. Faults are answered as such and reported. */
export async function execute(
  message: Pick<Message, "fields" | "documents" | "refusal">,
  engine: Engine,
  connection: Connection,
  report: (error: unknown) => void,
): Promise<Doc> {
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
    report(error);
    return failure(new EngineError(1, "internal error of the embedded engine"));
  }
}
