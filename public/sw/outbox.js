/**
 * A form that is sent without a network is kept in this browser's outbox, under the name of the person who filled it in. The pages send
 * it to its address when there is a network again (`app/enhance/offline/outbox.ts`).
 */

/** Forms that save what was written. One that saves over something has one place, so that the last text counts. */
const SAVING = [
  { path: /^\/(edit\/[^/]+|note\/[^/]+\/edit)$/, once: true },
  { path: /^\/(upload|notes\/new)$/, once: false },
];
const DATABASE = "codeshelf-outbox";
const STORE = "letters";

const findSaving = (url) => SAVING.find(({ path }) => path.test(new URL(url).pathname));

/** Back to the answer of a form: the browser does not send the form again, and that is no lack of a network. */
const openAnew = (url) =>
  fetch(url, { headers: { Accept: "text/html" }, redirect: "manual", cache: "no-cache" }).catch(
    self.offline.offlinePage,
  );

/** Sends the form; without a network it goes to the outbox, and the page that shows the outbox answers. */
async function answerForm(event) {
  const { request } = event;
  if (request.isHistoryNavigation) return openAnew(request.url);
  const saving = findSaving(request.url);
  const copy = saving && request.clone();
  try {
    const answer = await fetch(request);
    if (new URL(request.url).pathname === "/preferences") event.waitUntil(self.offline.keepOfflinePage());
    return answer;
  } catch {
    const reader = saving && (await self.offline.currentReader());
    if (!reader) return self.offline.offlinePage();
    await keepLetter(copy, reader, saving.once);
    return Response.redirect("/offline#outbox", 303);
  }
}

async function keepLetter(request, reader, once) {
  const { pathname, search } = new URL(request.url);
  const fields = [...(await request.formData())];
  const path = pathname + search;
  const key = `${reader} ${path}${once ? "" : ` ${crypto.randomUUID()}`}`;
  const letter = { reader, path, fields, at: new Date().toISOString(), refused: null };
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await waitForRequest(opening);
  try {
    await waitForRequest(database.transaction(STORE, "readwrite").objectStore(STORE).put(letter, key));
  } finally {
    database.close();
  }
}

/** Runs at log-out. */
async function forgetLetters() {
  const reader = await self.offline.currentReader();
  await new Promise((resolve) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = resolve;
    opening.onsuccess = () => {
      const removal = opening.result.transaction(STORE, "readwrite");
      removal.oncomplete = removal.onabort = () => resolve(opening.result.close());
      if (reader) removal.objectStore(STORE).delete(IDBKeyRange.bound(`${reader} `, `${reader} \uffff`));
    };
  });
}

function waitForRequest(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

Object.assign(self.offline, { answerForm, forgetLetters, isSaving: (url) => findSaving(url) !== undefined });
