// Without it files and folders are moved by forms; with it they can also be dragged onto a folder or into the trail.

const TARGET = "[data-folder-drop]";
const OVER = "folder-over";

type Dragged = { intent: string; fileIds: string[]; folder?: string };

let dragged: Dragged | null = null;

export function enhanceFolderDrag(): void {
  if (!document.querySelector(TARGET)) return;
  document.addEventListener("dragstart", ({ target, dataTransfer }) => {
    dragged = target instanceof Element ? findDragged(target) : null;
    if (dragged && dataTransfer) dataTransfer.effectAllowed = "all";
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    highlightTarget(null);
  });
  document.addEventListener("dragover", (event) => {
    const target = findTarget(event);
    highlightTarget(target);
    if (target) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const target = findTarget(event);
    if (!target || !dragged) return;
    event.preventDefault();
    submitDrop(dragged, target.dataset.folderDrop ?? "");
  });
}

/** Dragging a selected row drags all selected rows. */
function findDragged(target: Element): Dragged | null {
  const folder = target.closest<HTMLElement>("[data-folder-drag]")?.dataset.folderDrag;
  if (folder) return { intent: `folder-edit:${folder}`, fileIds: [], folder };
  const form = target.closest("form.selection");
  const box = target.closest("li")?.querySelector<HTMLInputElement>("input[name=file_ids]");
  if (!form || !box) return null;
  const chosen = [...form.querySelectorAll<HTMLInputElement>("input[name=file_ids]:checked")];
  const fileIds = box.checked ? chosen.map(({ value }) => value) : [box.value];
  return { intent: "move", fileIds };
}

/** The folder under the pointer, unless it is the dragged one. */
function findTarget({ target }: Event): HTMLElement | null {
  const folderTarget = dragged && target instanceof Element ? target.closest<HTMLElement>(TARGET) : null;
  return folderTarget && folderTarget.dataset.folderDrop !== dragged?.folder ? folderTarget : null;
}

function highlightTarget(target: HTMLElement | null): void {
  for (const element of document.querySelectorAll(`.${OVER}`)) element.classList.remove(OVER);
  target?.classList.add(OVER);
}

/** Submits a form, so that the next page reports the result. */
function submitDrop({ intent, fileIds }: Dragged, folder: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/files/actions";
  const fields = [
    ["intent", intent],
    ["folder", folder],
    ["next", location.pathname + location.search],
    ...fileIds.map((id) => ["file_ids", id]),
  ];
  for (const [name = "", value = ""] of fields) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.requestSubmit();
}
