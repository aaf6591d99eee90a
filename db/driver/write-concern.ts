import type { WriteConcernSettings } from "mongodb";

/**
 * Which writes wait for whom. A person sees "saved" only after a majority of the members have the write on disk, so that the
 * loss of any one server loses nothing that was acknowledged. An address cannot weaken this: see `connectMongo`.
 */
export const SAVED = { w: "majority", journal: true, wtimeoutMS: 10_000 } satisfies WriteConcernSettings;

/** For records that nobody was promised: figures, heartbeats, caches. */
export const UNCONFIRMED = { w: 1 } satisfies WriteConcernSettings;

/**
 * For a write that a later `SAVED` write of the same verb covers: replication keeps the order of one primary's writes. A verb that
 * uses it checks `primary.changes()` around both, because a new primary may lack what only the old one had. Not for a write that may lie on
 * another shard than the later one: see `primary.keepsOrder()`.
 */
export const COVERED = { writeConcern: UNCONFIRMED };
