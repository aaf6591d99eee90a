import { awaitRequest, createBrowserStore } from "#app/enhance/browser-store.ts";
import type { FolderFiles } from "#app/enhance/folders/folder-files.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

export type DroppedFiles = {
  files: File[];
  text: string;
  folders?: FolderFiles;
};

/**
 * Carries files to the next page in the browser's own database. Files that no page takes are removed after an hour. Browsers still
 * have the store under its earlier name.
 */
const runInStore = createBrowserStore("codeshelf", "arrivals");
const LIFETIME_MS = HOUR_MS;

export async function storeDroppedFiles(dropped: DroppedFiles): Promise<number> {
  const key = Date.now();
  await runInStore((store) => {
    store.delete(IDBKeyRange.upperBound(key - LIFETIME_MS));
    return awaitRequest(store.put(dropped, key));
  });
  return key;
}

export async function takeDroppedFiles(key: number): Promise<DroppedFiles | null> {
  const dropped: DroppedFiles | undefined = await runInStore((store) => awaitRequest(store.get(key)));
  await runInStore((store) => awaitRequest(store.delete(key)));
  return dropped ?? null;
}
