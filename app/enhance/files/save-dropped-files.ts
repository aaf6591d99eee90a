/** What happens to dropped files on every page but that of the form for them. Fetched at the first drop. */

import { type DroppedFiles, keepDroppedFiles } from "#app/enhance/files/dropped-files-store.ts";
import { readEntries } from "#app/enhance/folders/folder-files.ts";
import { openFolderUpload } from "#app/enhance/folders/folder-upload.ts";
import { fetchPart } from "#app/enhance/page-part.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { showToast } from "#app/enhance/toast.ts";

/** Saves files in the folder of the page. The form of /upload shows those that are refused, and why. */
export async function saveDroppedFiles(overlay: HTMLElement, dropped: DroppedFiles): Promise<void> {
  const folder = findFolder(overlay);
  const saved = dropped.files.length > 0 ? await save(overlay, folder, dropped.files) : null;
  // A zip is not saved but imported, which the page of imports shows.
  const refused = new Set(saved?.left?.map(({ file_name }) => file_name));
  if (saved?.import_id) location.assign("/settings/export");
  else if (refused.size > 0)
    await carry(
      { ...dropped, files: dropped.files.filter(({ name }) => refused.has(name)) },
      uploadPath(folder),
    );
  else if (saved) await showSaved();
  else await carry(dropped, uploadPath(folder));
}

const uploadPath = (folder: string) => (folder ? `/upload?folder=${folder}` : "/upload");

/** The folder that is shown, or the one of the file that is shown. */
function findFolder(overlay: HTMLElement): string {
  const { droppedFiles: uploadPath = "" } = overlay.dataset;
  const trail = [...document.querySelectorAll<HTMLElement>(".folder-trail [data-folder-drop]")];
  const shown = new URL(uploadPath, location.href).searchParams.get("folder");
  const folder = shown ?? trail.at(-1)?.dataset.folderDrop ?? "";
  return folder === "root" ? "" : folder;
}

type Saved = { import_id?: string; left?: { file_name: string }[] };

async function save(overlay: HTMLElement, folder: string, files: File[]): Promise<Saved | null> {
  const words = requireElement(overlay, "p");
  const { textContent: before } = words;
  words.textContent = overlay.dataset.saving ?? "";
  overlay.hidden = false;
  const body = new FormData();
  body.set("folder", folder);
  for (const file of files) body.append("files", file);
  const headers = { Accept: "application/json" };
  const answer = await fetch("/upload", { method: "POST", body, headers }).catch(() => null);
  overlay.hidden = true;
  words.textContent = before;
  return answer?.ok ? answer.json() : null;
}

/** A list comes again with its new files. Another page stays as it is, and the message of its next showing comes now. */
async function showSaved(): Promise<void> {
  if (document.querySelector("[data-folder-upload]")) location.reload();
  else showToast(await fetchPart(location.pathname + location.search, ".notices"));
}

async function carry(dropped: DroppedFiles, path: string): Promise<void> {
  const key = await keepDroppedFiles(dropped).catch(() => null);
  location.assign(key === null ? path : `${path}#dropped=${key}`);
}

/** The upload of a folder has a panel on some pages; from another page the folder is taken to the list of files. */
export async function uploadFolders(overlay: HTMLElement, entries: FileSystemEntry[]): Promise<void> {
  const panel = openFolderUpload();
  if (panel) return panel.upload(() => readEntries(entries));
  const folder = findFolder(overlay);
  const folders = await readEntries(entries);
  await carry({ files: [], text: "", folders }, folder ? `/files?folder=${folder}` : "/files");
}

/** Says that nothing is saved while the page has a text that is not. */
export async function refuseDrop(): Promise<void> {
  const template = await fetchPart("/upload", "template[data-drop-refusal]");
  if (!(template instanceof HTMLTemplateElement)) return;
  showToast(document.importNode(template.content, true).querySelector<HTMLElement>(".notices"));
}
