// Without it a name that exists already shows when the form is sent; with it a line below the field says so before.
import { requireElement } from "#app/enhance/require-element.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

const ASK_AFTER_MS = 400;
const TIMEOUT_MS = 5_000;

type NamedFile = { id: string; file_name: string; version: number };

export function enhanceNameTakenHints(): void {
  for (const hint of document.querySelectorAll<HTMLElement>("[data-name-hint]")) {
    const form = hint.closest("form");
    if (form) watchName(form, hint);
  }
}

function watchName(form: HTMLFormElement, hint: HTMLElement): void {
  const input = requireElement<HTMLInputElement>(form, "[name=file_name]");
  const folder = form.querySelector<HTMLInputElement | HTMLSelectElement>("[name=folder]");
  const ownFolder = hint.dataset.folder ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller = new AbortController();

  async function checkName(): Promise<void> {
    controller = new AbortController();
    const { signal } = controller;
    const existing = await fetchFileByPath(
      input.value,
      (folder ? folder.value : ownFolder) || ROOT_FOLDER,
      signal,
    );
    if (!signal.aborted && existing && existing.id !== hint.dataset.renamed) showHint(hint, existing);
  }

  /** Removes the hint at once, and asks the server after a pause in typing. */
  function checkSoon(): void {
    clearTimeout(timer);
    controller.abort();
    hint.replaceChildren();
    if (input.value.trim() !== "") timer = setTimeout(checkName, ASK_AFTER_MS);
  }

  input.addEventListener("input", checkSoon);
  folder?.addEventListener("change", checkSoon);
  // A form that came back, or that another app filled, has a name already.
  if (input.value !== "" && hint.dataset.renamed === undefined) checkSoon();
}

async function fetchFileByPath(path: string, folder: string, signal: AbortSignal): Promise<NamedFile | null> {
  const query = new URLSearchParams({ path, folder });
  try {
    const answer = await fetch(`/api/file?${query}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return answer.ok ? (await answer.json()).file : null;
  } catch {
    // Saving reports the same, so a failed check leaves the form as it is.
    return null;
  }
}

function showHint(hint: HTMLElement, { id, file_name, version }: NamedFile): void {
  const link = document.createElement("a");
  link.href = `/file/${id}`;
  link.dir = "ltr";
  link.textContent = file_name;
  const words = hint.dataset.nameHint?.replace("{version}", String(version + 1));
  hint.replaceChildren(link, ` ${words}`);
}
