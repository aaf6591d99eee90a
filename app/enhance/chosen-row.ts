import { sizeTextBesideLimit } from "#app/ui/size-text.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

type Row = { file: File; fault: string; removeLabel: string; remove: () => void };

export function createChosenRow({ file, fault, removeLabel, remove }: Row): HTMLElement {
  const row = createElement(
    "li",
    "cluster chosen-file gap-3 rows-1 pad-3 pad-block-1 raised edge round breaks",
  );
  const name = createElement("bdi", "code", file.name);
  name.dir = "ltr";
  const size = createElement("bdi", "soft", sizeTextBesideLimit(file.size, BODY_MAX_BYTES));
  size.dir = "ltr";
  const button = createElement("button", "button button-small pushed", removeLabel);
  button.type = "button";
  button.setAttribute("aria-label", `${removeLabel} ${file.name}`);
  button.addEventListener("click", remove);
  row.append(name, size, ...(fault === "" ? [] : [createElement("span", "wrong", fault)]), button);
  return row;
}

function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = "",
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
