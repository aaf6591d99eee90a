/**
 * The named things of one test: driver objects made by `createEntities` and values kept by
 * `saveResultAsEntity`. Names are unique, and asking for a name of the wrong kind is an error.
 */
import {
  type AbstractCursor,
  type ClientSession,
  type Collection,
  type CollectionOptions,
  type Db,
  type DbOptions,
  type Document,
  ReadConcern,
  ReadPreference,
  type ReadPreferenceMode,
  WriteConcern,
} from "mongodb";
import { type EntitySpec, only } from "./format.ts";
import type { References } from "./match.ts";
import { ObservedClient } from "./observed-client.ts";

export interface Kinds {
  client: ObservedClient;
  database: Db;
  collection: Collection;
  session: { session: ClientSession; lsid: unknown };
  cursor: AbstractCursor;
  value: { value: unknown };
}

export type Kind = keyof Kinds;

export type Entity = { [K in Kind]: { kind: K; it: Kinds[K] } }[Kind];

export class Entities implements References {
  private readonly uri: string;
  private readonly byName = new Map<string, Entity>();

  constructor(uri: string) {
    this.uri = uri;
  }

  async create(specs: EntitySpec[]): Promise<void> {
    for (const spec of specs) {
      const [kind, options] = only(spec);
      const make = MAKERS[kind];
      if (make === undefined) throw new Error(`the runner has no entities of the kind ${kind}`);
      this.add(options.id, await make(options, this, this.uri));
    }
  }

  add(name: string, entity: Entity): void {
    if (this.byName.has(name)) throw new Error(`there is already an entity ${name}`);
    this.byName.set(name, entity);
  }

  find(name: string): Entity {
    const entity = this.byName.get(name);
    if (entity === undefined) throw new Error(`there is no entity ${name}`);
    return entity;
  }

  get<K extends Kind>(kind: K, name: string): Kinds[K] {
    const entity = this.find(name);
    if (entity.kind !== kind) throw new Error(`the entity ${name} is a ${entity.kind}, not a ${kind}`);
    return entity.it as Kinds[K];
  }

  value(name: string): unknown {
    return this.get("value", name).value;
  }

  lsid(session: string): unknown {
    return this.get("session", session).lsid;
  }

  clients(): ObservedClient[] {
    return [...this.byName.values()].flatMap((entity) => (entity.kind === "client" ? [entity.it] : []));
  }

  async close(): Promise<void> {
    for (const entity of this.byName.values()) {
      if (entity.kind === "cursor") await entity.it.close();
      if (entity.kind === "session") await entity.it.session.endSession();
    }
    for (const client of this.clients()) await client.close();
  }
}

type Maker = (spec: Document, entities: Entities, uri: string) => Promise<Entity>;

const MAKERS: Record<string, Maker> = {
  client: async (spec, _entities, uri) => ({ kind: "client", it: await ObservedClient.open(uri, spec) }),
  database: async (spec, entities) => {
    const { client } = entities.get("client", spec.client);
    return {
      kind: "database",
      it: client.db(spec.databaseName, scopeOptions(spec.databaseOptions) as DbOptions),
    };
  },
  collection: async (spec, entities) => {
    const db = entities.get("database", spec.database);
    const options = scopeOptions(spec.collectionOptions) as CollectionOptions;
    return { kind: "collection", it: db.collection(spec.collectionName, options) };
  },
  session: async (spec, entities) => {
    const session = entities.get("client", spec.client).client.startSession(spec.sessionOptions ?? {});
    return { kind: "session", it: { session, lsid: session.id } };
  },
};

/** Read concern, write concern and read preference as the driver's own objects. */
export function scopeOptions(options: Document = {}): Document {
  const { readConcern, writeConcern, readPreference, ...rest } = options;
  return {
    ...rest,
    ...(readConcern && { readConcern: ReadConcern.fromOptions({ readConcern }) }),
    ...(writeConcern && { writeConcern: WriteConcern.fromOptions({ writeConcern }) }),
    ...(readPreference && { readPreference: readPreferenceFrom(readPreference) }),
  };
}

function readPreferenceFrom(spec: Document): ReadPreference {
  const { mode, tagSets, ...options } = spec;
  return new ReadPreference(mode as ReadPreferenceMode, tagSets, options);
}
