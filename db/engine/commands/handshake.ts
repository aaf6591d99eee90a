/** hello, login, and what is asked of the engine as a whole. */
import { ScramConversation } from "../scram.ts";
import { SESSION_MINUTES } from "../sessions.ts";
import { MAX_DOCUMENT_BYTES } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import {
  asArray,
  asString,
  Binary,
  type Doc,
  doc,
  Int32,
  isNumber,
  ObjectId,
  toCount,
  toNumber,
  UtcDate,
  type Value,
} from "../values/values.ts";
import { MAX_MESSAGE_BYTES } from "../wire.ts";
import type { Command, Engine, Request } from "./request.ts";
import { MAX_BATCH } from "./statements.ts";

export const VERSION = "7.0.0";
const MAX_WIRE_VERSION = 21;
const MECHANISM = "SCRAM-SHA-256";
const SET_NAME = "codeshelf";
const SET_VERSION = 1;
/** The member is elected once and for all: no restart makes it look older than it was. */
const ELECTION_ID = new ObjectId(Buffer.from("7fffffff0000000000000001", "hex"));

/** Reads the name that the client gives itself in its first message. */
function readAppName(fields: Doc): string | undefined {
  const client = fields.get("client");
  const application = client instanceof Map ? client.get("application") : undefined;
  const name = application instanceof Map ? application.get("name") : undefined;
  return typeof name === "string" ? name : undefined;
}

/**
 * The part of hello about the replica set, of which the engine is the only member. It has one, so that drivers treat it as they treat a
 * MongoDB in production: their writes carry numbers and are sent again after a lost answer.
 */
function describeMember({ address }: Engine): Record<string, Value> {
  return {
    setName: SET_NAME,
    setVersion: new Int32(SET_VERSION),
    secondary: false,
    hosts: [address],
    primary: address,
    me: address,
    electionId: ELECTION_ID,
  };
}

/** Answers as the primary of a set with one member, with sessions and retryable writes but no transactions. */
function answerHello({ fields, connection, engine, name }: Request): Doc {
  connection.appName ??= readAppName(fields);
  const reply = doc({
    helloOk: true,
    [name === "hello" ? "isWritablePrimary" : "ismaster"]: true,
    ...describeMember(engine),
    maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: new Int32(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: new Int32(MAX_BATCH),
    localTime: new UtcDate(BigInt(Date.now())),
    logicalSessionTimeoutMinutes: new Int32(SESSION_MINUTES),
    connectionId: new Int32(connection.id),
    minWireVersion: new Int32(0),
    maxWireVersion: new Int32(MAX_WIRE_VERSION),
    readOnly: false,
  });
  if (engine.store.room.isFull) reply.set("diskFull", true);
  if (engine.account && fields.has("saslSupportedMechs")) reply.set("saslSupportedMechs", [MECHANISM]);
  return reply;
}

function readPayload(fields: Doc): string {
  const payload = fields.get("payload");
  if (!(payload instanceof Binary)) fail(14, "payload must be binary");
  return payload.bytes.toString("utf8");
}

function saslReply(payload: string, done: boolean): Doc {
  return doc({ conversationId: new Int32(1), done, payload: new Binary(0, Buffer.from(payload)) });
}

function startSasl({ fields, connection, engine }: Request): Doc {
  if (!engine.account || asString(fields.get("mechanism"), "mechanism") !== MECHANISM)
    fail(18, "Authentication failed.");
  connection.conversation = new ScramConversation(engine.account);
  return saslReply(connection.conversation.start(readPayload(fields)), false);
}

function continueSasl({ fields, connection }: Request): Doc {
  const { conversation } = connection;
  if (!conversation) fail(17, "No SASL session state found");
  const payload = readPayload(fields);
  if (connection.authenticated && payload === "") return saslReply("", true);
  connection.authenticated = false;
  const answer = conversation.finish(payload);
  connection.authenticated = true;
  return saslReply(answer, true);
}

function answerBuildInfo(): Doc {
  const versionArray: Value[] = VERSION.split(".").map((part) => new Int32(Number(part)));
  return doc({
    version: VERSION,
    gitVersion: "embedded",
    modules: ["codeshelf-embedded-engine"],
    versionArray: [...versionArray, new Int32(0)],
    bits: new Int32(64),
    maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
  });
}

function serverStatus({ engine: { connections, counters } }: Request): Doc {
  return doc({
    connections: doc({ current: new Int32(connections.current), totalCreated: new Int32(connections.total) }),
    opcounters: doc(Object.fromEntries(counters)),
    mem: doc({ resident: Math.round(process.memoryUsage.rss() / 2 ** 20) }),
  });
}

function endSessions({ fields, engine }: Request): Doc {
  for (const lsid of asArray(fields.get("endSessions"), "endSessions")) engine.sessions.end(lsid);
  return doc();
}

/** Copies the data file, which only the running engine can do. The copy is in the data directory, readable only by its owner. */
async function createSnapshot({ engine }: Request): Promise<Doc> {
  const { file, bytes } = await engine.store.snapshot();
  return doc({ file, bytes: toCount(bytes) });
}

/** Opens a TCP port for programs that cannot use the engine's socket. */
async function listenOnTcp({ engine, fields }: Request): Promise<Doc> {
  const port = fields.get("codeshelfListen");
  if (!isNumber(port)) fail(14, "codeshelfListen must be the number of a port");
  return doc({ uri: await engine.openTcp(toNumber(port)) });
}

const HELLO_FIELDS = [
  "helloOk",
  "client",
  "compression",
  "topologyVersion",
  "maxAwaitTimeMS",
  "saslSupportedMechs",
  "speculativeAuthenticate",
  "backpressure",
];

export const HANDSHAKE: Record<string, Command> = {
  hello: { run: answerHello, fields: HELLO_FIELDS, open: true },
  ismaster: { run: answerHello, fields: HELLO_FIELDS, open: true },
  saslStart: { run: startSasl, fields: ["mechanism", "payload", "options", "autoAuthorize"], open: true },
  saslContinue: { run: continueSasl, fields: ["conversationId", "payload"], open: true },
  ping: { run: () => doc(), fields: [], open: true },
  endSessions: { run: endSessions, fields: [], open: true },
};

/** The commands that ask about the whole engine. */
export const SERVER: Record<string, Command> = {
  buildInfo: { run: answerBuildInfo, fields: [], open: true },
  codeshelfListen: { run: listenOnTcp, fields: [], admin: true },
  codeshelfSnapshot: { run: createSnapshot, fields: [], admin: true },
  serverStatus: { run: serverStatus, fields: [] },
};
