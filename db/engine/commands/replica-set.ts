/**
 * The replica set that the engine is the only member of. It has one, so that drivers treat it as they treat a MongoDB in
 * production: their writes carry numbers and are sent again after a lost answer.
 */
import { type Doc, doc, Int32, ObjectId, UtcDate, type Value } from "../values/values.ts";
import type { Command, Engine, Request } from "./request.ts";

const SET_NAME = "codeshelf";
const SET_VERSION = 1;
const TERM = 1;
/** The member is elected once and for all: no restart makes it look older than it was. */
const ELECTION_ID = new ObjectId(Buffer.from("7fffffff0000000000000001", "hex"));
const PRIMARY_STATE = 1;

/** What hello says of a primary. */
export function describeMember({ address }: Engine): Record<string, Value> {
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

function replSetGetStatus({ engine }: Request): Doc {
  const member = doc({
    _id: new Int32(0),
    name: engine.address,
    health: 1,
    state: new Int32(PRIMARY_STATE),
    stateStr: "PRIMARY",
    uptime: new Int32(Math.floor((Date.now() - engine.startedAt) / 1000)),
    electionDate: new UtcDate(BigInt(engine.startedAt)),
    self: true,
  });
  return doc({
    set: SET_NAME,
    date: new UtcDate(BigInt(Date.now())),
    myState: new Int32(PRIMARY_STATE),
    term: BigInt(TERM),
    members: [member],
  });
}

export const REPLICA_SET: Record<string, Command> = {
  replSetGetStatus: { run: replSetGetStatus, fields: [], admin: true },
};
