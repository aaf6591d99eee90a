import { failuresResponse } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { createResourceEtag, findResource, type Resource } from "#app/dav/resource.server.ts";
import { hasMatchingEtag } from "#app/files/file-etag.ts";
import { allowsChange, hasWriteConditions } from "#app/files/write-conditions.ts";
import { listLocks } from "#db/dav/dav-locks.server.ts";
import {
  type Change,
  checkLocks,
  createLockedProblem,
  type DavLock,
  listCoveringLocks,
  listLockedMembers,
} from "#domain/dav/dav-lock.ts";
import { parseDestination } from "#domain/dav/dav-path.ts";
import { DavProblem, isProblem } from "#domain/dav/dav-problem.ts";
import {
  type AddressState,
  type ConditionList,
  isIfHeaderMet,
  listTokens,
  parseIfHeader,
} from "#domain/dav/if-header.ts";

type CurrentFile = { id: string; version: number; updated_at: Date };

/** The locks and tokens of a request whose conditions hold. */
export type Guard = {
  locks: readonly DavLock[];
  tokens: readonly string[];
  /** The answer if a lock forbids the change, or null. */
  refuse(change: Change): DavAnswer | null;
  /** True if the conditions would hold with this text at the request's address. */
  holdsFor(current: CurrentFile | null, etag: string | null): boolean;
  hasConditions: boolean;
};

const TAGS_MAX = 20;

export async function checkConditions(call: DavCall, resource: Resource): Promise<Guard | DavProblem> {
  const { headers } = call.request;
  const locks = await listLocks(call.services.db, call.ownerId, call.now);
  const ifHeader = headers.get("If");
  const lists = ifHeader === null ? [] : parseIfHeader(ifHeader);
  if (!lists) return DavProblem(400, "The If header is not valid.");
  const tagged = await readTaggedStates(call, locks, lists);
  if (isProblem(tagged)) return tagged;
  const tokens = listTokens(lists);
  const covering = listCoveringLocks(locks, { names: resource.names, isFolder: resource.kind === "folder" });
  const holdsFor: Guard["holdsFor"] = (current, etag) => {
    const state = { tokens: covering.map(({ token }) => token), etag };
    return (
      holdsByMatch(headers, current, etag) &&
      allowsChange(headers, current) &&
      (lists.length === 0 ||
        isIfHeaderMet(lists, (tag) => (tag === null ? state : (tagged.get(tag) ?? null))))
    );
  };
  const current = resource.kind === "file" ? resource.file : null;
  if (!holdsFor(current, createResourceEtag(resource)))
    return DavProblem(412, "It is not as the request expects.");
  const hasConditions = lists.length > 0 || hasWriteConditions(headers);
  return {
    locks,
    tokens,
    holdsFor,
    hasConditions,
    refuse: (change) => findLockRefusal(locks, tokens, change),
  };
}

async function readTaggedStates(
  call: DavCall,
  locks: readonly DavLock[],
  lists: readonly ConditionList[],
): Promise<Map<string, AddressState> | DavProblem> {
  const tags = [...new Set(lists.flatMap(({ tag }) => (tag === null ? [] : [tag])))];
  if (tags.length > TAGS_MAX) return DavProblem(400, "The If header names too many addresses.");
  const states = new Map<string, AddressState>();
  for (const tag of tags) {
    const path = parseDestination(tag, call.host);
    if (isProblem(path)) continue;
    const resource = await findResource(call.services.db, call.ownerId, path, call.now);
    const covering = listCoveringLocks(locks, { names: path.names, isFolder: resource.kind === "folder" });
    states.set(tag, { tokens: covering.map(({ token }) => token), etag: createResourceEtag(resource) });
  }
  return states;
}

/** `If-Match` accepts only strong ETags. A junk file has an ETag of its own. */
function holdsByMatch(headers: Headers, current: CurrentFile | null, etag: string | null): boolean {
  const names = (header: string, strong: boolean) =>
    current
      ? hasMatchingEtag(header, current, { strong })
      : etag !== null && header.split(",").some((tag) => ["*", etag].includes(tag.trim()));
  const ifMatch = headers.get("If-Match");
  const ifNoneMatch = headers.get("If-None-Match");
  return (ifMatch === null || names(ifMatch, true)) && (ifNoneMatch === null || !names(ifNoneMatch, false));
}

/** Locked resources within a folder are listed in a 207. */
function findLockRefusal(
  locks: readonly DavLock[],
  tokens: readonly string[],
  change: Change,
): DavAnswer | null {
  const problem = checkLocks(locks, change, tokens);
  if (problem || !change.changesMembers) return problem;
  const members = listLockedMembers(locks, change, tokens);
  if (members.length === 0) return null;
  const parts = members.map((names) => {
    const isFolder = locks.some((lock) => lock.names === names && lock.isFolder);
    return { names, isFolder, problem: createLockedProblem([names]) };
  });
  return failuresResponse(parts);
}
