import { fetchPart } from "#app/enhance/page-part.ts";

/**
 * Shows part of another page over this one, or opens that page if the part cannot be fetched. The part has its own close button. `source`
 * is the address to fetch from, if not that page.
 */
export async function openSheet(path: string, selector: string, source = path): Promise<HTMLElement | null> {
  if (document.querySelector("dialog.sheet")) return null;
  const fragment = await fetchPart(source, selector);
  // Two requests may have overlapped; only one is shown.
  if (document.querySelector("dialog.sheet")) return null;
  if (!fragment) {
    location.assign(path);
    return null;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "surface sheet lifted ink";
  dialog.setAttribute("aria-labelledby", fragment.querySelector("h1, h2")?.id ?? "");
  dialog.append(fragment);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return fragment;
}
