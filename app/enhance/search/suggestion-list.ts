import { forgetSearches, keepSearch, listSearches } from "#app/enhance/search/recent-searches.ts";

const LIST_ID = "suggestions";

/** Rows that are called by their name and not found by a search. */
const NO_SEARCH = "[aria-labelledby=go-pages], [aria-labelledby=go-folders], [aria-labelledby=go-commands]";

/** The list below a box that one types into: one row of it is chosen while the focus stays in the box. */
export class SuggestionList {
  readonly #box: HTMLInputElement;
  readonly #reader: string;
  readonly #popup = document.createElement("div");
  #options: HTMLElement[] = [];
  #chosen = -1;

  constructor(box: HTMLInputElement, form: HTMLFormElement, reader: string, fill: (q: string) => void) {
    this.#box = box;
    this.#reader = reader;
    // The role of a combobox is for a field of text.
    box.type = "text";
    setAttributes(box, {
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": LIST_ID,
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
    });
    this.#popup.className = "surface suggestions";
    this.#popup.hidden = true;
    form.append(this.#popup);
    // A press on a row leaves the focus in the box.
    this.#popup.addEventListener("mousedown", (event) => event.preventDefault());
    this.#popup.addEventListener("click", (event) => this.#click(event, fill));
  }

  get isOpen(): boolean {
    return !this.#popup.hidden;
  }

  /** It is seen once it has something to show. */
  open(): void {
    this.#popup.hidden = false;
    this.#box.setAttribute("aria-expanded", String(this.#options.length > 0));
  }

  close(): void {
    this.#popup.hidden = true;
    this.#popup.replaceChildren();
    this.#options = [];
    this.#choose(-1);
    this.#box.setAttribute("aria-expanded", "false");
  }

  /** Takes the place of what was shown, with the first row chosen where something is typed. */
  show(found: HTMLElement): void {
    if (this.#box.value.trim() === "") this.#addRecent(found);
    this.#options = makeListbox(found, this.#box.getAttribute("aria-label") ?? "");
    this.#popup.replaceChildren(found);
    this.#popup.scrollTop = 0;
    this.#box.setAttribute("aria-expanded", "true");
    this.#choose(this.#box.value.trim() === "" ? -1 : 0);
  }

  /** From the last row on to the first one. */
  move(step: number): void {
    const count = this.#options.length;
    if (count > 0)
      this.#choose(this.#chosen < 0 && step < 0 ? count - 1 : (this.#chosen + step + count) % count);
  }

  /** Presses the chosen row; false where none is. */
  press(): boolean {
    const option = this.#options[this.#chosen];
    option?.click();
    return option !== undefined;
  }

  keepTyped(): void {
    keepSearch(this.#reader, this.#box.value);
  }

  #choose(index: number): void {
    this.#chosen = index;
    for (const [at, option] of this.#options.entries())
      option.setAttribute("aria-selected", String(at === index));
    const option = this.#options[index];
    if (option) this.#box.setAttribute("aria-activedescendant", option.id);
    else this.#box.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  #click(event: MouseEvent, fill: (q: string) => void): void {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>(".suggestion") : null;
    if (!option) return;
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (option.dataset.fill !== undefined && !isElsewhere) {
      event.preventDefault();
      fill(option.dataset.fill);
    } else if (option.dataset.clearRecent !== undefined) {
      forgetSearches(this.#reader);
      fill("");
    } else {
      if (!option.closest(NO_SEARCH)) this.keepTyped();
      // The form of a command is sent from where it stands, and a line of the same page gets the focus.
      if (!isElsewhere) setTimeout(() => this.#leave());
    }
  }

  #leave(): void {
    this.close();
    this.#box.blur();
  }

  #addRecent(found: HTMLElement): void {
    const recent = found.querySelector<HTMLElement>("[data-recent-searches]");
    const clear = recent?.querySelector("li");
    const searches = listSearches(this.#reader);
    if (!recent || !clear || searches.length === 0) return;
    recent.hidden = false;
    clear.before(...searches.map(makeRecentRow));
  }
}

function makeRecentRow(q: string): HTMLElement {
  const row = document.createElement("li");
  const link = document.createElement("a");
  const words = document.createElement("bdi");
  words.textContent = q;
  Object.assign(link, { className: "suggestion", href: `/search?${new URLSearchParams({ q })}` });
  link.append(words);
  row.append(link);
  return row;
}

/** Gives the part of the page the roles of a list to choose from, and brings its rows in order. */
function makeListbox(found: HTMLElement, label: string): HTMLElement[] {
  setAttributes(found, { id: LIST_ID, role: "listbox", "aria-label": label });
  for (const group of found.querySelectorAll("section")) group.setAttribute("role", "group");
  for (const plain of found.querySelectorAll("h2, ul, li, form")) plain.setAttribute("role", "presentation");
  const options = [...found.querySelectorAll<HTMLElement>(".suggestion")];
  const shown = options.filter((option) => option.closest("[hidden]") === null);
  for (const [at, option] of shown.entries())
    setAttributes(option, {
      id: `suggestion-${at}`,
      role: "option",
      tabindex: "-1",
      "aria-selected": "false",
    });
  return shown;
}

function setAttributes(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
