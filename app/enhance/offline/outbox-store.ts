/** What `public/sw/outbox.js` kept: forms that found no network, and what the server said of them since. */
const DATABASE = "codeshelf-outbox";
const STORE = "letters";

type QueuedForm = {
  reader: string;
  path: string;
  fields: [name: string, value: string | File][];
  at: string;
  /** The status the server answered with, where it refused. */
  refused: number | null;
};

export type Kept = { key: string; letter: QueuedForm };

/** Letters that this page itself sends as long as it is open: nobody else of its page does. */
export const heldHere = new Set<string>();

/** Keeps a form as the service worker would, which names by its address what has one place. */
export async function putQueuedForm(letter: QueuedForm): Promise<string> {
  const key = `${letter.reader} ${letter.path}`;
  await inStore((store) => awaitRequest(store.put(letter, key)));
  return key;
}

/** Everything that waits of one person; whoever leaves this browser is asked before. */
export async function dropLetters(reader: string): Promise<void> {
  for (const { key } of await listLetters(reader)) await dropLetter(key);
}

export async function dropLetter(key: string): Promise<void> {
  await inStore((store) => awaitRequest(store.delete(key)));
}

/** The letters of one person, oldest first. */
export async function listLetters(reader: string): Promise<Kept[]> {
  const [keys, letters] = await inStore((store) =>
    Promise.all([awaitRequest(store.getAllKeys()), awaitRequest(store.getAll() as IDBRequest<QueuedForm[]>)]),
  );
  return letters
    .map((letter, i) => ({ key: String(keys[i]), letter }))
    .filter(({ letter }) => letter.reader === reader)
    .sort((a, b) => a.letter.at.localeCompare(b.letter.at));
}

export async function updateLetter({ key, letter }: Kept): Promise<void> {
  await inStore((store) => awaitRequest(store.put(letter, key)));
}

/** Only as it was: one that was filled in anew meanwhile stays. */
export async function removeLetter({ key, letter }: Kept): Promise<void> {
  await inStore(async (store) => {
    const current: QueuedForm | undefined = await awaitRequest(store.get(key));
    if (current?.at === letter.at) await awaitRequest(store.delete(key));
  });
}

async function inStore<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await awaitRequest(opening);
  try {
    return await work(database.transaction(STORE, "readwrite").objectStore(STORE));
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
