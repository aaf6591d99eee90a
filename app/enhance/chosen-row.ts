import { sizeTextBesideLimit } from "#app/ui/size-text.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

type Row = { file: File; fault: string; removeLabel: string; remove: () => void };

/** One chosen file: its name, its size, what is wrong with it, and a way to leave it out. */
export function chosenRow({ file, fault, removeLabel, remove }: Row): HTMLElement {
  const row = made("li", "cluster chosen-file");
  const name = made("bdi", "code", file.name);
  name.dir = "ltr";
  const size = made("bdi", "soft", sizeTextBesideLimit(file.size, BODY_MAX_BYTES));
  size.dir = "ltr";
  const button = made("button", "button button-small", removeLabel);
  button.type = "button";
  button.setAttribute("aria-label", `${removeLabel} ${file.name}`);
  button.addEventListener("click", remove);
  row.append(name, size, ...(fault === "" ? [] : [made("span", "chosen-fault", fault)]), button);
  return row;
}

function made<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = "",
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
