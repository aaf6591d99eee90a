/** The sessions that clients have named lately: kept to be listed, nothing else hangs on them. */
import { createHash } from "node:crypto";
import { Binary, type Doc, doc, UtcDate, type Value } from "./values/values.ts";

export const SESSION_MINUTES = 30;
const IDLE_MS = SESSION_MINUTES * 60_000;
const MAX_SESSIONS = 10_000;

interface Session {
  id: Binary;
  usedAt: number;
}

function idOf(lsid: Value | undefined): Binary | undefined {
  const id = lsid instanceof Map ? lsid.get("id") : undefined;
  return id instanceof Binary ? id : undefined;
}

export class Sessions {
  /** Least recently used first. */
  readonly #byId = new Map<string, Session>();

  use(lsid: Value | undefined, now: number): void {
    const id = idOf(lsid);
    if (!id) return;
    this.end(lsid);
    this.#byId.set(id.bytes.toString("hex"), { id, usedAt: now });
    for (const [key, { usedAt }] of this.#byId) {
      if (this.#byId.size <= MAX_SESSIONS && now - usedAt < IDLE_MS) return;
      this.#byId.delete(key);
    }
  }

  end(lsid: Value | undefined): void {
    const id = idOf(lsid);
    if (id) this.#byId.delete(id.bytes.toString("hex"));
  }

  /** As $listLocalSessions shows them; `user` is empty where nobody logs in. */
  list(user: string, now: number): Doc[] {
    const uid = new Binary(0, createHash("sha256").update(user).digest());
    return [...this.#byId.values()]
      .filter(({ usedAt }) => now - usedAt < IDLE_MS)
      .map(({ id, usedAt }) => doc({ _id: doc({ id, uid }), lastUse: new UtcDate(BigInt(usedAt)) }));
  }
}
