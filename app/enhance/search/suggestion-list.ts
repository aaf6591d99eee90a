import { addRecentSearch, forgetSearches, listSearches } from "#app/enhance/search/recent-searches.ts";

const LIST_ID = "suggestions";

/** Rows that are called by name, not found by a search. */
const NO_SEARCH = "[aria-labelledby=go-pages], [aria-labelledby=go-folders], [aria-labelledby=go-commands]";

/** The list below a box: one row is chosen while the focus stays in the box. */
export class SuggestionList {
  readonly #box: HTMLInputElement;
  readonly #reader: string;
  readonly #popup = document.createElement("div");
  #options: HTMLElement[] = [];
  #chosen = -1;

  constructor(box: HTMLInputElement, form: HTMLFormElement, reader: string, fill: (q: string) => void) {
    this.#box = box;
    this.#reader = reader;
    // The combobox role needs a text field.
    box.type = "text";
    setAttributes(box, {
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": LIST_ID,
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
    });
    this.#popup.className = "surface suggestions pad-2 lifted";
    this.#popup.hidden = true;
    form.append(this.#popup);
    // Keeps the focus in the box.
    this.#popup.addEventListener("mousedown", (event) => event.preventDefault());
    this.#popup.addEventListener("click", (event) => this.#click(event, fill));
  }

  get isOpen(): boolean {
    return !this.#popup.hidden;
  }

  /** The popup becomes visible once it has content. */
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

  /** Replaces the content, and chooses the first row if something is typed. */
  show(results: HTMLElement): void {
    if (this.#box.value.trim() === "") this.#addRecent(results);
    this.#options = makeListbox(results, this.#box.getAttribute("aria-label") ?? "");
    this.#popup.replaceChildren(results);
    this.#popup.scrollTop = 0;
    this.#box.setAttribute("aria-expanded", "true");
    this.#choose(this.#box.value.trim() === "" ? -1 : 0);
  }

  moveChoice(step: number): void {
    const count = this.#options.length;
    if (count > 0)
      this.#choose(this.#chosen < 0 && step < 0 ? count - 1 : (this.#chosen + step + count) % count);
  }

  clickChosen(): boolean {
    const option = this.#options[this.#chosen];
    option?.click();
    return option !== undefined;
  }

  recordTypedSearch(): void {
    addRecentSearch(this.#reader, this.#box.value);
  }

  #choose(index: number): void {
    this.#chosen = index;
    for (const [i, option] of this.#options.entries())
      option.setAttribute("aria-selected", String(i === index));
    const option = this.#options[index];
    if (option) this.#box.setAttribute("aria-activedescendant", option.id);
    else this.#box.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  #click(event: MouseEvent, fill: (q: string) => void): void {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>(".suggestion") : null;
    if (!option) return;
    const opensNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
    if (option.dataset.fill !== undefined && !opensNewTab) {
      event.preventDefault();
      fill(option.dataset.fill);
    } else if (option.dataset.clearRecent !== undefined) {
      forgetSearches(this.#reader);
      fill("");
    } else {
      if (!option.closest(NO_SEARCH)) this.recordTypedSearch();
      // After the click, because the form of a command is submitted from here, and a line of the same page gets the focus.
      if (!opensNewTab) setTimeout(() => this.#leave());
    }
  }

  #leave(): void {
    this.close();
    this.#box.blur();
  }

  #addRecent(results: HTMLElement): void {
    const recent = results.querySelector<HTMLElement>("[data-recent-searches]");
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

function makeListbox(results: HTMLElement, label: string): HTMLElement[] {
  setAttributes(results, { id: LIST_ID, role: "listbox", "aria-label": label });
  for (const group of results.querySelectorAll("section")) group.setAttribute("role", "group");
  for (const plain of results.querySelectorAll("h2, ul, li, form"))
    plain.setAttribute("role", "presentation");
  const options = [...results.querySelectorAll<HTMLElement>(".suggestion")];
  const visible = options.filter((option) => option.closest("[hidden]") === null);
  for (const [i, option] of visible.entries())
    setAttributes(option, {
      id: `suggestion-${i}`,
      role: "option",
      tabindex: "-1",
      "aria-selected": "false",
    });
  return visible;
}

function setAttributes(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
