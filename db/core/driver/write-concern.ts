import type { WriteConcernSettings } from "mongodb";

/**
 * The write concerns. A person sees "saved" only after a majority of the members has the write on disk, so that losing any
 * server loses nothing acknowledged. An address cannot weaken this: see `connectMongo`.
 */
export const SAVED = { w: "majority", journal: true, wtimeoutMS: 10_000 } satisfies WriteConcernSettings;

/** For records without a promise to anyone: metrics, heartbeats, caches. */
export const UNCONFIRMED = { w: 1 } satisfies WriteConcernSettings;

/**
 * For a write that a later `SAVED` write of the same function covers, because replication keeps the order of a primary's
 * writes. The function compares `primary.changes()` before and after both, because a new primary may lack the first write. Not
 * for writes that may be on another shard than the later one: see `primary.keepsOrder()`.
 */
export const COVERED = { writeConcern: UNCONFIRMED };
