// Without it the list beside an uploaded folder would be the one of before: the page comes again, and finds here what to say.

import type { FolderOnWire, Sent } from "#app/enhance/folders/folder-sending.ts";

export type UploadDone = {
  sent: Sent;
  skipped: [name: string, count: number][];
  /** The paths of files that were left out because they may hold secrets. */
  secrets: string[];
  before: FolderOnWire[];
  show: string;
};

/** What an upload did, or words alone, as after it was undone. */
export type UploadResult = {
  words: string;
  done: UploadDone | null;
};

const KEY = "folder-upload";
const here = () => location.pathname + location.search;

/** False where the browser cannot keep it: its store is full or closed. */
export function keepUploadResult(result: UploadResult): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ at: here(), result }));
    return true;
  } catch {
    return false;
  }
}

/** The result of an upload on this page, once. */
export function takeUploadResult(): UploadResult | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    return kept?.at === here() ? kept.result : null;
  } catch {
    return null;
  }
}
