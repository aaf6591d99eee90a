// Without it files are chosen in the form of /upload; with it they are dropped or pasted there, and onto a list of files, which saves them.

import { isTyping } from "#app/enhance/editor/typing.ts";
import {
  type DroppedFiles,
  keepDroppedFiles,
  takeDroppedFiles,
} from "#app/enhance/files/dropped-files-store.ts";

const CARRIED = /^#dropped=(\d+)$/;

export function enhanceDroppedFiles(): void {
  const overlay = document.querySelector<HTMLElement>("[data-dropped-files]");
  if (!overlay) return;
  document.querySelector("[data-dropped-files-hint]")?.classList.remove("needs-script");
  const { droppedFiles: uploadPath = "" } = overlay.dataset;
  const isHere = location.pathname === new URL(uploadPath, location.href).pathname;
  // The form of chosen files is fetched by the page that has it alone.
  const form = isHere
    ? import("#app/enhance/files/chosen-files.ts").then((it) => it.openChosenFiles())
    : null;
  const receive = async (dropped: DroppedFiles) => {
    if (form) return (await form)?.add(dropped);
    const saved = dropped.files.length > 0 ? await save(overlay, uploadPath, dropped.files) : null;
    // A zip is not saved but imported, which the page of imports shows.
    if (saved) return saved.import_id ? location.assign("/settings/export") : location.reload();
    const key = await keepDroppedFiles(dropped).catch(() => null);
    location.assign(key === null ? uploadPath : `${uploadPath}#dropped=${key}`);
  };
  watchDrops(overlay, receive);
  watchPastes(receive);
  if (form) void unpack(receive);
}

/** Saves files in the folder of the page. Where that is refused, the form of /upload says of which file and why. */
async function save(
  overlay: HTMLElement,
  uploadPath: string,
  files: File[],
): Promise<{ import_id?: string } | null> {
  const words = overlay.querySelector("span");
  const { saving = "" } = overlay.dataset;
  if (words) words.textContent = saving;
  overlay.hidden = false;
  const body = new FormData();
  body.set("folder", new URL(uploadPath, location.href).searchParams.get("folder") ?? "");
  for (const file of files) body.append("files", file);
  const headers = { Accept: "application/json" };
  const answer = await fetch("/upload", { method: "POST", body, headers }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** What was dropped onto another page and carried here. */
async function unpack(receive: (dropped: DroppedFiles) => Promise<void>): Promise<void> {
  const key = CARRIED.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  const dropped = await takeDroppedFiles(Number(key));
  if (dropped) await receive(dropped);
}

function watchDrops(overlay: HTMLElement, receive: (dropped: DroppedFiles) => Promise<void>): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const take = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    overlay.hidden = event.type === "drop";
    if (event.type !== "drop") return;
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = listEntries(event.dataTransfer);
    if (entries.some(({ isDirectory }) => isDirectory)) void uploadFolders(entries);
    else void receive({ files, text: "" });
  };
  // Before any field or editor: a file is saved as a file wherever on the page it falls.
  for (const name of ["dragenter", "dragover", "drop"] as const)
    document.addEventListener(name, take, { capture: true });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
}

/** What was dropped, as files and folders. A browser tells them during the event alone. */
const listEntries = (data: DataTransfer | null): FileSystemEntry[] =>
  [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);

async function uploadFolders(entries: FileSystemEntry[]): Promise<void> {
  const [{ openFolderUpload }, { readEntries }] = await Promise.all([
    import("#app/enhance/folders/folder-upload.ts"),
    import("#app/enhance/folders/folder-files.ts"),
  ]);
  await openFolderUpload()?.upload(() => readEntries(entries));
}

function watchPastes(receive: (dropped: DroppedFiles) => Promise<void>): void {
  document.addEventListener("paste", (event) => {
    if (isTyping(event.target)) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = files.length > 0 ? "" : (event.clipboardData?.getData("text/plain") ?? "");
    if (files.length === 0 && text === "") return;
    event.preventDefault();
    void receive({ files, text });
  });
}
