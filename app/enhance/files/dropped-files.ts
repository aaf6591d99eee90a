// Without it files are chosen in the form of /upload; with it they can be dropped there and onto any other page, which saves them.

import { isTyping } from "#app/enhance/editor/typing.ts";
import type { DroppedFiles } from "#app/enhance/files/dropped-files-store.ts";

type Receive = (dropped: DroppedFiles) => Promise<void>;

const CARRIED = /^#dropped=(\d+)$/;
const TEXT_FIELDS = "textarea, input:is(:not([type]), [type=text], [type=url], [type=email])";

export function enhanceDroppedFiles(): void {
  const overlay = document.querySelector<HTMLElement>("[data-dropped-files]");
  if (!overlay) return;
  document.querySelector("[data-dropped-files-hint]")?.classList.remove("needs-script");
  // Only the page with the form fetches its code.
  const form = document.querySelector("form[data-upload]")
    ? import("#app/enhance/files/chosen-files.ts").then((it) => it.createFileChooser())
    : null;
  const receive: Receive = async (dropped) => {
    if (form) return (await form)?.add(dropped);
    const { saveDroppedFiles } = await importSaving();
    await saveDroppedFiles(overlay, dropped);
  };
  watchDrops(overlay, receive, form !== null);
  // On other pages a paste outside a field is a mistake.
  if (document.querySelector("[data-folder-upload]")) {
    watchPastes(receive);
    void receiveStoredFiles(receive);
  }
}

const importSaving = () => import("#app/enhance/files/save-dropped-files.ts");

async function receiveStoredFiles(receive: Receive): Promise<void> {
  const key = CARRIED.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  const { takeDroppedFiles } = await import("#app/enhance/files/dropped-files-store.ts");
  const dropped = await takeDroppedFiles(Number(key));
  if (!dropped) return;
  const { folders } = dropped;
  if (!folders) return receive(dropped);
  const { openFolderUpload } = await import("#app/enhance/folders/folder-upload.ts");
  await openFolderUpload()?.upload(() => folders);
}

function watchDrops(overlay: HTMLElement, receive: Receive, isUpload: boolean): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const handleDrag = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    // The file field of another form takes the files itself.
    const isForField = !isUpload && isFileField(event.target);
    overlay.hidden = event.type === "drop" || isForField;
    if (isForField) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type !== "drop") return;
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = listEntries(event.dataTransfer);
    // A refused save opens another page, so nothing starts that could cost a typed text.
    if (!isUpload && hasUnsavedText()) void importSaving().then((it) => it.showDropRefusal());
    else if (entries.some(({ isDirectory }) => isDirectory))
      void importSaving().then((it) => it.uploadFolders(overlay, entries));
    else void receive({ files, text: "" });
  };
  // In the capture phase, before any field or editor: a dropped file is saved as a file anywhere on the page.
  for (const name of ["dragenter", "dragover", "drop"] as const)
    document.addEventListener(name, handleDrag, { capture: true });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
}

const isFileField = (target: EventTarget | null) =>
  target instanceof Element && target.closest("[data-file-field]") !== null;

/** A text form counts even before anything is typed, because leaving its page by a drop would surprise. */
const hasUnsavedText = () =>
  document.querySelector("form[data-draft-for]") !== null ||
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)].some(
    (field) => field.value !== field.defaultValue,
  );

/** The dropped files and folders, which browsers reveal only during the event. */
const listEntries = (data: DataTransfer | null): FileSystemEntry[] =>
  [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);

function watchPastes(receive: Receive): void {
  document.addEventListener("paste", (event) => {
    if (isTyping(event.target)) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = files.length > 0 ? "" : (event.clipboardData?.getData("text/plain") ?? "");
    if (files.length === 0 && text === "") return;
    event.preventDefault();
    void receive({ files, text });
  });
}
