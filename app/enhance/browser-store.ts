type InStore = <T>(work: (store: IDBObjectStore) => Promise<T>) => Promise<T>;

/** Works in a database of this browser with one store, which is open only during the work. */
export function createBrowserStore(databaseName: string, storeName: string): InStore {
  return async (work) => {
    const opening = indexedDB.open(databaseName, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const database = await awaitRequest(opening);
    try {
      return await work(database.transaction(storeName, "readwrite").objectStore(storeName));
    } finally {
      database.close();
    }
  };
}

export function awaitRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
