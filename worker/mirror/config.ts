import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RepoDoc } from "#db/repos/documents.ts";
import type { Env } from "#platform/env/env.ts";
import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";
import type { GitIsolation } from "#worker/mirror/git-isolation.ts";
import type { LookUp } from "#worker/mirror/remote.ts";

export type MirrorConfig = {
  root: string;
  allowLocal: boolean;
  dataKeys: ReadDataKeys;
  everyMinutes: number;
  timeoutMs: number;
  maxBytes: number;
  maxFiles: number;
  /** The limit of all texts in all mirrors of a person. */
  maxBytesPerPerson: number;
  lookUp?: LookUp;
  /** Certificates of authorities to trust instead of the machine's own. */
  caFile?: string | null;
  /** The isolation of git; null if it does not work on this machine. */
  isolation?: GitIsolation | null;
};

export function readMirrorConfig(env: Env, isolation: GitIsolation | null): MirrorConfig {
  const { dataDir, dataKeys, codehost } = env;
  return {
    root: join(dataDir, "repos"),
    isolation,
    allowLocal: codehost.allowLocal,
    dataKeys,
    everyMinutes: codehost.syncMinutes,
    timeoutMs: codehost.syncTimeoutMs,
    maxBytes: codehost.mirrorMaxBytes,
    maxFiles: codehost.mirrorMaxFiles,
    maxBytesPerPerson: codehost.mirrorsMaxBytes,
    caFile: codehost.caFile,
  };
}

const OWNER_CHARACTERS = 16;

/** Returns a directory whose name contains nothing that a person or a remote chose. */
export function mirrorDirectory(
  { root }: MirrorConfig,
  { _id, user_id }: Pick<RepoDoc, "_id" | "user_id">,
): string {
  const owner = createHash("sha256").update(user_id).digest("hex").slice(0, OWNER_CHARACTERS);
  return join(root, owner, `${_id.toHexString()}.git`);
}
