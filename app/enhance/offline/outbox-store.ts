import { awaitRequest, createBrowserStore } from "#app/enhance/browser-store.ts";

/** The forms that `public/sw/outbox.js` stored without a network, under these names, and the server's answers since. */
const runInStore = createBrowserStore("codeshelf-outbox", "letters");

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
export async function storeQueuedForm(form: QueuedForm): Promise<string> {
  const key = `${form.reader} ${form.path}`;
  await runInStore((store) => awaitRequest(store.put(form, key)));
  return key;
}

export async function removeQueuedForms(reader: string): Promise<void> {
  for (const { key } of await listQueuedForms(reader)) await removeQueuedFormByKey(key);
}

export async function removeQueuedFormByKey(key: string): Promise<void> {
  await runInStore((store) => awaitRequest(store.delete(key)));
}

export async function listQueuedForms(reader: string): Promise<StoredForm[]> {
  const [keys, forms] = await runInStore((store) =>
    Promise.all([awaitRequest(store.getAllKeys()), awaitRequest<QueuedForm[]>(store.getAll())]),
  );
  return forms
    .map((form, i) => ({ key: String(keys[i]), form }))
    .filter(({ form }) => form.reader === reader)
    .sort((a, b) => a.form.at.localeCompare(b.form.at));
}

export async function updateQueuedForm({ key, form }: StoredForm): Promise<void> {
  await runInStore((store) => awaitRequest(store.put(form, key)));
}

/** Removes a form unless it was filled in again since. */
export async function removeUnlessRefilled({ key, form }: StoredForm): Promise<void> {
  await runInStore(async (store) => {
    const current: QueuedForm | undefined = await awaitRequest(store.get(key));
    if (current?.at === form.at) await awaitRequest(store.delete(key));
  });
}
