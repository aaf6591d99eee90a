/**
 * Texts that were typed and not saved, in `localStorage` under `draft:<person>:<place>#<tab>.<page>`. A place is what a form
 * writes, such as a new note. Each page that shows the form writes a draft of its own, so two tabs never overwrite each other;
 * a duplicated tab has the id of its original, but not the ids of its pages. A key without `#` is of an earlier version and is read
 * like the others.
 */

type DraftText = {
  fields: Record<string, string>;
  /** The page with the form. */
  at: string;
  /** A form that was sent while its page was left, so nobody saw the answer. */
  sent?: SentForm;
};
export type SentForm = { path: string; fields: Record<string, string> };
export type Draft = DraftText & { key: string; savedAt: number };

const PREFIX = "draft:";
const TAB = "draft-tab";
/** Of one place; the oldest goes. */
const DRAFTS_MAX = 20;

/** After a log-out this page keeps nothing more. */
let hasLeft = false;

/** Drafts are those of the person who is signed in. */
const getOwner = () => `${PREFIX}${document.body.dataset.reader ?? ""}:`;
const makeId = () => Math.random().toString(36).slice(2);
const listKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(getOwner()));
const listDrafts = () => listKeys().flatMap((key) => readDraft(key) ?? []);
const getPlace = (key: string) => key.split("#", 1)[0] ?? key;

function getTab(): string {
  const tab = sessionStorage.getItem(TAB) ?? makeId();
  sessionStorage.setItem(TAB, tab);
  return tab;
}

export const makePlace = (name: string): string => getOwner() + name;
export const makeDraftKey = (place: string): string => `${place}#${getTab()}.${makeId()}`;
export const isOwner = (key: string): boolean => key.startsWith(getOwner());
export const isOfThisTab = ({ key }: Draft): boolean => key.startsWith(`${getPlace(key)}#${getTab()}.`);
export const removeDraft = (key: string): void => localStorage.removeItem(key);

export function readDraft(key: string): Draft | null {
  const draft = JSON.parse(localStorage.getItem(key) ?? "null");
  return draft && typeof draft.fields === "object" ? { ...draft, key, savedAt: draft.savedAt ?? 0 } : null;
}

/** Those of this tab come first, and the newest before the others. */
export function listPlaceDrafts(place: string): Draft[] {
  return listDrafts()
    .filter(({ key }) => getPlace(key) === place)
    .sort((a, b) => Number(isOfThisTab(b)) - Number(isOfThisTab(a)) || b.savedAt - a.savedAt);
}

/** The page that goes on with a draft has it under a key of its own: the page that wrote it may still be open. */
export function moveDraft({ key }: Draft): string {
  const text = localStorage.getItem(key);
  const moved = makeDraftKey(getPlace(key));
  localStorage.removeItem(key);
  if (text === null || tryStoring(moved, text)) return moved;
  // The browser's store was full to the last letter, and the new key is longer.
  localStorage.setItem(key, text);
  return key;
}

export function storeDraft(key: string, { fields, at, sent }: DraftText): void {
  if (hasLeft) return;
  const text = JSON.stringify({ fields, at, sent, savedAt: Date.now() });
  const others = listPlaceDrafts(getPlace(key))
    .filter((draft) => draft.key !== key)
    .sort((a, b) => a.savedAt - b.savedAt);
  for (const old of others.splice(0, others.length + 1 - DRAFTS_MAX)) removeDraft(old.key);
  // A text larger than the browser's store is not kept as a draft.
  if (!tryStoring(key, text) && makeRoom(text.length, others)) tryStoring(key, text);
}

function tryStoring(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the oldest drafts, unless all of them leave too little room. */
function makeRoom(length: number, oldestFirst: readonly Draft[]): boolean {
  const going: string[] = [];
  let freed = 0;
  for (const { key } of oldestFirst) {
    if (freed >= length) break;
    going.push(key);
    freed += localStorage.getItem(key)?.length ?? 0;
  }
  if (freed < length) return false;
  going.forEach(removeDraft);
  return true;
}

/** The drafts whose forms were sent and have no answer. */
export function listSentDrafts(): { key: string; content: string; sent: SentForm }[] {
  return listDrafts().flatMap(({ key, fields, sent }) =>
    sent ? [{ key, content: fields.content ?? "", sent }] : [],
  );
}

export const hasDrafts = (): boolean => listKeys().length > 0;

/** Whoever logs out leaves no text in this browser, also none that a page keeps while it is left. */
export function dropDrafts(): void {
  hasLeft = true;
  listKeys().forEach(removeDraft);
}
