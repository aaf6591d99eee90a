/** hello, login and the questions that drivers and shells ask before they begin. */
import { hostname } from "node:os";
import { ScramConversation } from "../scram.ts";
import { SESSION_MINUTES, type Sessions } from "../sessions.ts";
import { MAX_DOCUMENT_BYTES } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { asArray, asString, Binary, type Doc, doc, Int32, UtcDate, type Value } from "../values/values.ts";
import { MAX_MESSAGE_BYTES } from "../wire.ts";
import { describeMember } from "./replica-set.ts";
import type { Command, Request } from "./request.ts";
import { MAX_BATCH } from "./statements.ts";

export const VERSION = "7.0.0";
const MAX_WIRE_VERSION = 21;
const MECHANISM = "SCRAM-SHA-256";

/** What the client calls itself, said once in its first message. */
function appNameIn(fields: Doc): string | undefined {
  const client = fields.get("client");
  const application = client instanceof Map ? client.get("application") : undefined;
  const name = application instanceof Map ? application.get("name") : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The primary of a set of one: sessions and retryable writes, no transactions. */
function hello({ fields, connection, engine, name }: Request): Doc {
  connection.appName ??= appNameIn(fields);
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
  if (engine.account && fields.has("saslSupportedMechs")) reply.set("saslSupportedMechs", [MECHANISM]);
  return reply;
}

function payloadOf(fields: Doc): string {
  const payload = fields.get("payload");
  if (!(payload instanceof Binary)) fail(14, "payload must be binary");
  return payload.bytes.toString("utf8");
}

function saslReply(payload: string, done: boolean): Doc {
  return doc({ conversationId: new Int32(1), done, payload: new Binary(0, Buffer.from(payload)) });
}

function saslStart({ fields, connection, engine }: Request): Doc {
  if (!engine.account || asString(fields.get("mechanism"), "mechanism") !== MECHANISM)
    fail(18, "Authentication failed.");
  connection.conversation = new ScramConversation(engine.account);
  return saslReply(connection.conversation.start(payloadOf(fields)), false);
}

function saslContinue({ fields, connection }: Request): Doc {
  const { conversation } = connection;
  if (!conversation) fail(17, "No SASL session state found");
  const payload = payloadOf(fields);
  if (connection.authenticated && payload === "") return saslReply("", true);
  connection.authenticated = false;
  const answer = conversation.finish(payload);
  connection.authenticated = true;
  return saslReply(answer, true);
}

function buildInfo(): Doc {
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

function serverStatus({ engine }: Request): Doc {
  const { connections, counters, cursors, startedAt } = engine;
  const uptime = Math.floor((Date.now() - startedAt) / 1000);
  return doc({
    host: hostname(),
    version: VERSION,
    process: "codeshelf-embedded-engine",
    pid: BigInt(process.pid),
    uptime,
    localTime: new UtcDate(BigInt(Date.now())),
    connections: doc({ current: new Int32(connections.current), totalCreated: new Int32(connections.total) }),
    opcounters: doc(Object.fromEntries([...counters].map(([name, count]) => [name, count]))),
    metrics: doc({ cursor: doc({ open: doc({ total: new Int32(cursors.count) }) }) }),
    mem: doc({ resident: Math.round(process.memoryUsage.rss() / 2 ** 20) }),
    storageEngine: doc({ name: "sqlite", persistent: true }),
  });
}

/** Commands that name sessions: each is done to every one of them. */
function eachSession(act: (sessions: Sessions, lsid: Value) => void): Command {
  return {
    run: ({ name, fields, engine }) => {
      for (const lsid of asArray(fields.get(name), name)) act(engine.sessions, lsid);
      return doc();
    },
    fields: [],
  };
}

const nothing = (): Doc => doc();
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
  hello: { run: hello, fields: HELLO_FIELDS, open: true },
  ismaster: { run: hello, fields: HELLO_FIELDS, open: true },
  isMaster: { run: hello, fields: HELLO_FIELDS, open: true },
  saslStart: { run: saslStart, fields: ["mechanism", "payload", "options", "autoAuthorize"], open: true },
  saslContinue: { run: saslContinue, fields: ["conversationId", "payload"], open: true },
  ping: { run: nothing, fields: [], open: true },
  buildInfo: { run: buildInfo, fields: [], open: true },
  buildinfo: { run: buildInfo, fields: [], open: true },
  endSessions: { ...eachSession((sessions, lsid) => sessions.end(lsid)), open: true },
  killSessions: eachSession((sessions, lsid) => sessions.end(lsid)),
  refreshSessions: eachSession((sessions, lsid) => sessions.use(lsid, Date.now())),
  serverStatus: { run: serverStatus, fields: [] },
  connectionStatus: {
    run: () => doc({ authInfo: doc({ authenticatedUsers: [], authenticatedUserRoles: [] }) }),
    fields: ["showPrivileges"],
  },
};
