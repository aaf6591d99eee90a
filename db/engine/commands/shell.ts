/** What people ask through a shell: the machine, the settings, the room that collections take. */
import { arch, availableParallelism, hostname, release, totalmem, type } from "node:os";
import type { Collection } from "../storage/collection.ts";
import { indexBytes, sizesOf, totalSizes } from "../storage/sizes.ts";
import type { Store } from "../storage/store.ts";
import { fail } from "../values/errors.ts";
import { asString, count, type Doc, doc, Int32, UtcDate, type Value } from "../values/values.ts";
import { type Command, collectionName, findCollection, naturalField, type Request } from "./request.ts";

function hostInfo(): Doc {
  return doc({
    system: doc({
      currentTime: new UtcDate(BigInt(Date.now())),
      hostname: hostname(),
      cpuAddrSize: new Int32(64),
      memSizeMB: count(Math.floor(totalmem() / 2 ** 20)),
      numCores: new Int32(availableParallelism()),
      cpuArch: arch(),
    }),
    os: doc({ type: type(), name: type(), version: release() }),
    extra: doc(),
  });
}

/** The settings that clients look at, each as it is here. */
function parametersOf({ engine }: Request): Doc {
  return doc({
    authenticationMechanisms: engine.account ? ["SCRAM-SHA-256"] : [],
    featureCompatibilityVersion: doc({ version: "7.0" }),
    ttlMonitorEnabled: true,
  });
}

const ASKS_FOR_ALL = "*";

function getParameter(request: Request): Doc {
  const known = parametersOf(request);
  if (request.fields.get("getParameter") === ASKS_FOR_ALL) return known;
  const found: Doc = new Map([...known].filter(([name]) => request.fields.has(name)));
  return found.size > 0 ? found : fail(72, "no option found to get");
}

/** The engine keeps no log to be asked for: it writes what it has to say to its standard error. */
const LOGS = ["global", "startupWarnings"];

function getLog({ fields }: Request): Doc {
  const name = asString(fields.get("getLog"), "getLog");
  if (name === ASKS_FOR_ALL) return doc({ names: LOGS });
  if (!LOGS.includes(name)) fail(96, `No log named '${name}'`);
  return doc({ totalLinesWritten: new Int32(0), log: [] });
}

export function scaleOf(fields: Doc): number {
  const scale = naturalField(fields, "scale") ?? 1;
  return scale > 0 ? scale : fail(2, "scale must be >= 1");
}

/** A size in the unit asked for. */
type Scaled = (bytes: number) => Value;

function scaledBy(scale: number): Scaled {
  return (bytes) => count(Math.floor(bytes / scale));
}

function averageOf({ data, documents }: { data: number; documents: number }): Value | undefined {
  return documents > 0 ? count(Math.floor(data / documents)) : undefined;
}

/** The room that a collection takes, as collStats and $collStats tell it; one that does not exist takes none. */
export function storageStats(
  store: Store,
  collection: Collection | undefined,
  scale: number,
): Record<string, Value | undefined> {
  const scaled = scaledBy(scale);
  const sizes = collection && sizesOf(store, collection);
  const indexes = sizes ? indexBytes(sizes) : 0;
  const each = sizes ? [...sizes.indexes].map(([name, bytes]): [string, Value] => [name, scaled(bytes)]) : [];
  return {
    size: scaled(sizes?.data ?? 0),
    count: count(sizes?.documents ?? 0),
    avgObjSize: sizes && averageOf(sizes),
    storageSize: scaled(sizes?.storage ?? 0),
    totalIndexSize: scaled(indexes),
    totalSize: scaled((sizes?.storage ?? 0) + indexes),
    indexSizes: new Map(each),
    nindexes: new Int32(each.length),
    capped: false,
    scaleFactor: count(scale),
  };
}

function collStats(request: Request): Doc {
  const ns = `${request.db}.${collectionName(request)}`;
  const scale = scaleOf(request.fields);
  return doc({ ns, ...storageStats(request.engine.store, findCollection(request), scale) });
}

function dbStats({ engine, db, fields }: Request): Doc {
  const scale = scaleOf(fields);
  const scaled = scaledBy(scale);
  const collections = engine.store.list(db);
  const total = totalSizes(collections.map((collection) => sizesOf(engine.store, collection)));
  return doc({
    db,
    collections: count(collections.length),
    views: new Int32(0),
    objects: count(total.documents),
    avgObjSize: averageOf(total) ?? new Int32(0),
    dataSize: scaled(total.data),
    storageSize: scaled(total.storage),
    indexes: count(collections.reduce((sum, { allIndexes }) => sum + allIndexes.length, 0)),
    indexSize: scaled(total.indexes),
    totalSize: scaled(total.storage + total.indexes),
    scaleFactor: count(scale),
  });
}

/** The engine's own command: only it can copy its file while it is at work. The file is where the data is, for its owner alone. */
async function codeshelfSnapshot({ engine }: Request): Promise<Doc> {
  const { file, bytes } = await engine.store.snapshot();
  return doc({ file, bytes: count(bytes) });
}

export const SHELL: Record<string, Command> = {
  hostInfo: { run: hostInfo, fields: [] },
  getParameter: { run: getParameter, fields: "any", admin: true },
  getLog: { run: getLog, fields: [], admin: true },
  getCmdLineOpts: {
    run: () => doc({ argv: process.argv.slice(1), parsed: doc() }),
    fields: [],
    admin: true,
  },
  codeshelfSnapshot: { run: codeshelfSnapshot, fields: [], admin: true },
  collStats: { run: collStats, fields: ["scale"] },
  collstats: { run: collStats, fields: ["scale"] },
  dbStats: { run: dbStats, fields: ["scale", "freeStorage"] },
  dbstats: { run: dbStats, fields: ["scale", "freeStorage"] },
  usersInfo: { run: () => doc({ users: [] }), fields: ["showPrivileges", "showCredentials", "filter"] },
  rolesInfo: { run: () => doc({ roles: [] }), fields: ["showPrivileges", "showBuiltinRoles"] },
};
