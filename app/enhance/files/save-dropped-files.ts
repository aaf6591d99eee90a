/** Handles dropped files on every page except the form for them. Fetched at the first drop. */

import { type DroppedFiles, storeDroppedFiles } from "#app/enhance/files/dropped-files-store.ts";
import { collectDroppedFiles } from "#app/enhance/folders/folder-files.ts";
import { openFolderUpload } from "#app/enhance/folders/folder-upload.ts";
import { fetchPart } from "#app/enhance/page-part.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { showToast } from "#app/enhance/toast.ts";

/** Saves files in the folder of the page. Refused files are carried to the form of /upload, which explains why. */
export async function saveDroppedFiles(overlay: HTMLElement, dropped: DroppedFiles): Promise<void> {
  const folder = findTargetFolder(overlay);
  const result = dropped.files.length > 0 ? await uploadFiles(overlay, folder, dropped.files) : null;
  // A zip is imported, and the page of imports shows it.
  const refused = new Set(result?.left?.map(({ file_name }) => file_name));
  if (result?.import_id) location.assign("/settings/export");
  else if (refused.size > 0)
    await storeAndOpenPage(
      { ...dropped, files: dropped.files.filter(({ name }) => refused.has(name)) },
      toUploadPath(folder),
    );
  else if (result) await showUploadResult();
  else await storeAndOpenPage(dropped, toUploadPath(folder));
}

const toUploadPath = (folder: string) => (folder ? `/upload?folder=${folder}` : "/upload");

function findTargetFolder(overlay: HTMLElement): string {
  const { droppedFiles: uploadPath = "" } = overlay.dataset;
  const trail = [...document.querySelectorAll<HTMLElement>(".folder-trail [data-folder-drop]")];
  const pageFolder = new URL(uploadPath, location.href).searchParams.get("folder");
  const folder = pageFolder ?? trail.at(-1)?.dataset.folderDrop ?? "";
  return folder === "root" ? "" : folder;
}

type SaveResult = { import_id?: string; left?: { file_name: string }[] };

async function uploadFiles(overlay: HTMLElement, folder: string, files: File[]): Promise<SaveResult | null> {
  const words = requireElement(overlay, "p");
  const { textContent: wordsBefore } = words;
  words.textContent = overlay.dataset.saving ?? "";
  overlay.hidden = false;
  const body = new FormData();
  body.set("folder", folder);
  for (const file of files) body.append("files", file);
  const headers = { Accept: "application/json" };
  const answer = await fetch("/upload", { method: "POST", body, headers }).catch(() => null);
  overlay.hidden = true;
  words.textContent = wordsBefore;
  return answer?.ok ? answer.json() : null;
}

/** Reloads a list of files. On other pages it shows the message that the next page would show. */
async function showUploadResult(): Promise<void> {
  if (document.querySelector("[data-folder-upload]")) location.reload();
  else showToast(await fetchPart(location.pathname + location.search, ".notices"));
}

async function storeAndOpenPage(dropped: DroppedFiles, path: string): Promise<void> {
  const key = await storeDroppedFiles(dropped).catch(() => null);
  location.assign(key === null ? path : `${path}#dropped=${key}`);
}

/** On pages with a panel the folder is uploaded there; from other pages it is carried to the list of files. */
export async function uploadFolders(overlay: HTMLElement, entries: FileSystemEntry[]): Promise<void> {
  const panel = openFolderUpload();
  if (panel) return panel.upload(() => collectDroppedFiles(entries));
  const folder = findTargetFolder(overlay);
  const folders = await collectDroppedFiles(entries);
  await storeAndOpenPage({ files: [], text: "", folders }, folder ? `/files?folder=${folder}` : "/files");
}

export async function showDropRefusal(): Promise<void> {
  const template = await fetchPart("/upload", "template[data-drop-refusal]");
  if (!(template instanceof HTMLTemplateElement)) return;
  showToast(document.importNode(template.content, true).querySelector<HTMLElement>(".notices"));
}
