import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Download } from "./library.ts";
import { hashBytes, writeAtomically } from "./local-files.ts";
import type { Session } from "./requests.ts";
import { configFile } from "./session.ts";

/**
 * The state that a file shared with the library after push or pull. The first sync of a folder starts from these. They are optional:
 * without one, a file that differs is kept on both sides.
 */
export type Transfer = { file: string; address: string; id: string; version: number; hash: string };
const TRANSFERS_KEPT = 10_000;
const transfersFile = () => join(dirname(configFile()), "transfers.json");

export async function readTransfersByFile(address: string): Promise<Map<string, Transfer>> {
  const all = await readAllTransfers();
  return new Map(
    all.filter((transfer) => transfer.address === address).map((transfer) => [transfer.file, transfer]),
  );
}

/** None where the file is missing or damaged. */
async function readAllTransfers(): Promise<Transfer[]> {
  try {
    const { files } = JSON.parse(await readFile(transfersFile(), "utf8"));
    return Array.isArray(files) ? files : [];
  } catch {
    return [];
  }
}

/** A machine without a place to remember them does without. */
export async function rememberTransfers(done: Transfer[]) {
  if (done.length === 0) return;
  const before = new Map(
    (await readAllTransfers()).map((transfer) => [`${transfer.address} ${transfer.file}`, transfer]),
  );
  for (const transfer of done) {
    // The newest stand last.
    before.delete(`${transfer.address} ${transfer.file}`);
    before.set(`${transfer.address} ${transfer.file}`, transfer);
  }
  const files = [...before.values()].slice(-TRANSFERS_KEPT);
  try {
    await mkdir(dirname(transfersFile()), { recursive: true, mode: 0o700 });
    await writeAtomically(transfersFile(), `${JSON.stringify({ files })}\n`, { mode: 0o600 });
  } catch {}
}

export const toTransfer = (
  { address }: Session,
  file: string,
  { id, version }: Pick<Download, "id" | "version">,
  bytes: Uint8Array,
): Transfer => ({
  ...{ file: resolve(file), address, id, version },
  hash: hashBytes(bytes),
});
