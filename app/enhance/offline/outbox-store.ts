import { awaitRequest, createBrowserStore } from "#app/enhance/browser-store.ts";

/** The forms that `public/sw/outbox.js` stored without a network, under these names, and the server's answers since. */
const inStore = createBrowserStore("codeshelf-outbox", "letters");

type QueuedForm = {
  reader: string;
  path: string;
  fields: [name: string, value: string | File][];
  at: string;
  refused: number | null;
};

export type StoredForm = { key: string; form: QueuedForm };

/** Forms that this page sends itself while it is open; the outbox skips them. */
export const heldHere = new Set<string>();

/** Stores a form under its address, as the service worker does. */
export async function putQueuedForm(form: QueuedForm): Promise<string> {
  const key = `${form.reader} ${form.path}`;
  await inStore((store) => awaitRequest(store.put(form, key)));
  return key;
}

export async function dropQueuedForms(reader: string): Promise<void> {
  for (const { key } of await listQueuedForms(reader)) await dropQueuedForm(key);
}

export async function dropQueuedForm(key: string): Promise<void> {
  await inStore((store) => awaitRequest(store.delete(key)));
}

export async function listQueuedForms(reader: string): Promise<StoredForm[]> {
  const [keys, forms] = await inStore((store) =>
    Promise.all([awaitRequest(store.getAllKeys()), awaitRequest<QueuedForm[]>(store.getAll())]),
  );
  return forms
    .map((form, i) => ({ key: String(keys[i]), form }))
    .filter(({ form }) => form.reader === reader)
    .sort((a, b) => a.form.at.localeCompare(b.form.at));
}

export async function updateQueuedForm({ key, form }: StoredForm): Promise<void> {
  await inStore((store) => awaitRequest(store.put(form, key)));
}

/** Removes a form unless it was filled in again since. */
export async function removeQueuedForm({ key, form }: StoredForm): Promise<void> {
  await inStore(async (store) => {
    const current: QueuedForm | undefined = await awaitRequest(store.get(key));
    if (current?.at === form.at) await awaitRequest(store.delete(key));
  });
}
