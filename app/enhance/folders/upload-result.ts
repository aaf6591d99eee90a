// Without it the list beside an uploaded folder would be outdated; the page reloads and finds the result here.

import type { FolderOnWire, Sent } from "#app/enhance/folders/folder-sending.ts";

export type UploadDone = {
  sent: Sent;
  skipped: [name: string, count: number][];
  secrets: string[];
  before: FolderOnWire[];
  show: string;
};

/** `done` is null after an undo, which has only words. */
export type UploadResult = {
  words: string;
  done: UploadDone | null;
};

const KEY = "folder-upload";
const getPageAddress = () => location.pathname + location.search;

/** False if the browser cannot store the result: its store is full or disabled. */
export function storeUploadResult(result: UploadResult): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ at: getPageAddress(), result }));
    return true;
  } catch {
    return false;
  }
}

/** The result of an upload on this page; taking it removes it. */
export function claimUploadResult(): UploadResult | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    return stored?.at === getPageAddress() ? stored.result : null;
  } catch {
    return null;
  }
}
