import type { FolderFiles } from "#app/enhance/folders/folder-files.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

export type DroppedFiles = {
  files: File[];
  text: string;
  folders?: FolderFiles;
};

/** Carries files to the next page in the browser's own database. Files that no page takes are removed after an hour. */
const DATABASE = "codeshelf";
// An earlier name, which browsers still have.
const STORE = "arrivals";
const LIFETIME_MS = HOUR_MS;

export async function keepDroppedFiles(dropped: DroppedFiles): Promise<number> {
  const key = Date.now();
  await inStore((store) => {
    store.delete(IDBKeyRange.upperBound(key - LIFETIME_MS));
    return store.put(dropped, key);
  });
  return key;
}

export async function takeDroppedFiles(key: number): Promise<DroppedFiles | null> {
  const dropped: DroppedFiles | undefined = await inStore((store) => store.get(key));
  await inStore((store) => store.delete(key));
  return dropped ?? null;
}

async function inStore<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await awaitRequest(opening);
  try {
    return await awaitRequest(request(database.transaction(STORE, "readwrite").objectStore(STORE)));
  } finally {
    database.close();
  }
}

function awaitRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
