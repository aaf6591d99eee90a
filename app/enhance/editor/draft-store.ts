/**
 * Stores typed but unsaved texts in `localStorage` under `draft:<person>:<place>#<tab>.<page>`. A place is what a form writes, such as a
 * new note. Each page writes its own draft, so two tabs never overwrite each other; a duplicated tab has the id of its original but other
 * page ids. A key without `#` comes from an earlier version and is read like the others.
 */

type DraftText = {
  fields: Record<string, string>;
  /** The path of the page with the form. */
  at: string;
  /** A form that was sent while its page was left, so its answer was not seen. */
  sent?: SentForm;
};
export type SentForm = { path: string; fields: Record<string, string> };
export type Draft = DraftText & { key: string; savedAt: number };

const PREFIX = "draft:";
const TAB = "draft-tab";
const DRAFTS_MAX = 20;

/** After a logout this page stores no drafts. */
let hasLoggedOut = false;

/** Drafts belong to the person who is signed in. */
const getOwner = () => `${PREFIX}${document.body.dataset.reader ?? ""}:`;
const makeId = () => Math.random().toString(36).slice(2);
const listKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(getOwner()));
const listDrafts = () => listKeys().flatMap((key) => readDraft(key) ?? []);
const getPlace = (key: string) => key.split("#", 1)[0] ?? key;

function ensureTabId(): string {
  const tab = sessionStorage.getItem(TAB) ?? makeId();
  sessionStorage.setItem(TAB, tab);
  return tab;
}

export const makePlace = (name: string): string => getOwner() + name;
export const makeDraftKey = (place: string): string => `${place}#${ensureTabId()}.${makeId()}`;
export const isOwner = (key: string): boolean => key.startsWith(getOwner());
export const isOfThisTab = ({ key }: Draft): boolean => key.startsWith(`${getPlace(key)}#${ensureTabId()}.`);
export const removeDraft = (key: string): void => localStorage.removeItem(key);

export function readDraft(key: string): Draft | null {
  const draft = JSON.parse(localStorage.getItem(key) ?? "null");
  return draft && typeof draft.fields === "object" ? { ...draft, key, savedAt: draft.savedAt ?? 0 } : null;
}

export function listPlaceDrafts(place: string): Draft[] {
  return listDrafts()
    .filter(({ key }) => getPlace(key) === place)
    .sort((a, b) => Number(isOfThisTab(b)) - Number(isOfThisTab(a)) || b.savedAt - a.savedAt);
}

/** Moves a draft to a key of the page that continues it, because the page that wrote it may still be open. */
export function moveDraft({ key }: Draft): string {
  const text = localStorage.getItem(key);
  const newKey = makeDraftKey(getPlace(key));
  localStorage.removeItem(key);
  if (text === null || tryStoring(newKey, text)) return newKey;
  // The store is full and the new key is longer.
  localStorage.setItem(key, text);
  return key;
}

export function storeDraft(key: string, { fields, at, sent }: DraftText): void {
  if (hasLoggedOut) return;
  const text = JSON.stringify({ fields, at, sent, savedAt: Date.now() });
  const others = listPlaceDrafts(getPlace(key))
    .filter((draft) => draft.key !== key)
    .sort((a, b) => a.savedAt - b.savedAt);
  for (const old of others.splice(0, others.length + 1 - DRAFTS_MAX)) removeDraft(old.key);
  // A text larger than the browser's store gets no draft.
  if (!tryStoring(key, text) && removeOldestDrafts(text.length, others)) tryStoring(key, text);
}

function tryStoring(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the oldest drafts, unless even all of them leave too little room. */
function removeOldestDrafts(length: number, oldestFirst: readonly Draft[]): boolean {
  const keysToRemove: string[] = [];
  let freed = 0;
  for (const { key } of oldestFirst) {
    if (freed >= length) break;
    keysToRemove.push(key);
    freed += localStorage.getItem(key)?.length ?? 0;
  }
  if (freed < length) return false;
  keysToRemove.forEach(removeDraft);
  return true;
}

export function listSentDrafts(): { key: string; content: string; sent: SentForm }[] {
  return listDrafts().flatMap(({ key, fields, sent }) =>
    sent ? [{ key, content: fields.content ?? "", sent }] : [],
  );
}

export const hasDrafts = (): boolean => listKeys().length > 0;

/** Logging out leaves no text in this browser, not even one that a page would store while it is left. */
export function clearDraftsOnLogout(): void {
  hasLoggedOut = true;
  listKeys().forEach(removeDraft);
}
