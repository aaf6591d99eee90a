// Without it files are chosen in the form of /upload; with it they are dropped there, and onto any other page, which saves them.

import { isTyping } from "#app/enhance/editor/typing.ts";
import type { DroppedFiles } from "#app/enhance/files/dropped-files-store.ts";

type Receive = (dropped: DroppedFiles) => Promise<void>;

const CARRIED = /^#dropped=(\d+)$/;
const TEXT_FIELDS = "textarea, input:is(:not([type]), [type=text], [type=url], [type=email])";

export function enhanceDroppedFiles(): void {
  const overlay = document.querySelector<HTMLElement>("[data-dropped-files]");
  if (!overlay) return;
  document.querySelector("[data-dropped-files-hint]")?.classList.remove("needs-script");
  // The form of chosen files is fetched by the page that has it alone.
  const form = document.querySelector("form[data-upload]")
    ? import("#app/enhance/files/chosen-files.ts").then((it) => it.openChosenFiles())
    : null;
  const receive: Receive = async (dropped) => {
    if (form) return (await form)?.add(dropped);
    const { saveDroppedFiles } = await importSaving();
    await saveDroppedFiles(overlay, dropped);
  };
  watchDrops(overlay, receive, form !== null);
  // Elsewhere a paste that no field takes is a slip.
  if (document.querySelector("[data-folder-upload]")) {
    watchPastes(receive);
    void unpack(receive);
  }
}

const importSaving = () => import("#app/enhance/files/save-dropped-files.ts");

/** What was dropped onto another page and carried here. */
async function unpack(receive: Receive): Promise<void> {
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
  const take = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    // Another form takes a file of its own kind in its field.
    const isTaken = !isUpload && isFileField(event.target);
    overlay.hidden = event.type === "drop" || isTaken;
    if (isTaken) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type !== "drop") return;
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = listEntries(event.dataTransfer);
    // Where saving is refused another page comes, so nothing begins that could cost a typed text.
    if (!isUpload && hasUnsavedText()) void importSaving().then((it) => it.refuseDrop());
    else if (entries.some(({ isDirectory }) => isDirectory))
      void importSaving().then((it) => it.uploadFolders(overlay, entries));
    else void receive({ files, text: "" });
  };
  // Before any field or editor: a file is saved as a file wherever on the page it falls.
  for (const name of ["dragenter", "dragover", "drop"] as const)
    document.addEventListener(name, take, { capture: true });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
}

const isFileField = (target: EventTarget | null) =>
  target instanceof Element && target.closest("[data-file-field]") !== null;

/** A form for a text counts also before anything is typed: leaving its page by a drop would surprise. */
const hasUnsavedText = () =>
  document.querySelector("form[data-draft-for]") !== null ||
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)].some(
    (field) => field.value !== field.defaultValue,
  );

/** What was dropped, as files and folders. A browser tells them during the event alone. */
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
