// Without it the search box leads to the search page; with it suggestions open below the box while typing.
import { fetchPart } from "#app/enhance/page-part.ts";
import { SuggestionList } from "#app/enhance/search/suggestion-list.ts";

const ASK_EVERY_MS = 80;
/** After this time the box leads to the search page. */
const ANSWER_MAX_MS = 10_000;
const BOX = "[data-search-key]";
const OPENED_FILE = /^\/(?:file|md|svg)\/([0-9a-f]{24})$/;

let palette: Palette | null = null;

export function enhancePalette(): void {
  const box = document.querySelector<HTMLInputElement>(BOX);
  const { reader } = document.body.dataset;
  if (box?.form && reader) palette = new Palette(box, box.form, reader);
}

export function openPalette(): void {
  document.querySelector<HTMLDialogElement>("dialog.sheet")?.close();
  palette?.openFrom(document.activeElement);
}

class Palette {
  readonly #box: HTMLInputElement;
  readonly #form: HTMLFormElement;
  readonly #list: SuggestionList;
  #opener: Element | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** True if the current text still has to be requested. */
  #isWanted = false;
  #answered: Promise<void> | null = null;

  constructor(box: HTMLInputElement, form: HTMLFormElement, reader: string) {
    this.#box = box;
    this.#form = form;
    this.#list = new SuggestionList(box, form, reader, (q) => {
      box.value = q;
      box.focus();
      this.#ask();
    });
    box.addEventListener("input", () => this.#ask());
    box.addEventListener("click", () => this.#list.isOpen || this.#ask());
    box.addEventListener("keydown", (event) => this.#press(event));
    form.addEventListener("submit", () => this.#list.recordTypedSearch());
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) this.#close();
    });
  }

  openFrom(opener: Element | null): void {
    if (opener !== this.#box) this.#opener = opener;
    this.#box.focus();
    this.#box.select();
    this.#ask();
  }

  /** Sends one request at a time, and then only the latest text. */
  #ask(): void {
    this.#list.open();
    this.#isWanted = true;
    this.#answered ??= this.#bringLatest();
  }

  async #bringLatest(): Promise<void> {
    while (this.#isWanted) {
      const waitMs = Math.max(0, this.#askedAtMs + ASK_EVERY_MS - performance.now());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (this.#isWanted) await this.#bring();
    }
    this.#answered = null;
  }

  /** An answer to an outdated text is not shown; without an answer the old list closes. */
  async #bring(): Promise<void> {
    this.#askedAtMs = performance.now();
    this.#isWanted = false;
    const file = OPENED_FILE.exec(location.pathname)?.[1];
    const query = new URLSearchParams({ q: this.#box.value, ...(file ? { file } : {}) });
    const results = await fetchPart(`/go?${query}`, "[data-go-results]", { timeoutMs: ANSWER_MAX_MS });
    if (this.#isWanted || !this.#list.isOpen) return;
    if (results) this.#list.show(results);
    else this.#list.close();
  }

  #press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // An input method handles its own keys.
    if (event.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      if (this.#list.isOpen) this.#list.moveChoice(step);
      else this.#ask();
    } else if (event.key === "Enter" && this.#list.isOpen) {
      event.preventDefault();
      void this.#enter();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#escape();
    }
  }

  /** Escape closes the list, then empties the box, then leaves it. A person who came by a key returns at once. */
  #escape(): void {
    if (!this.#list.isOpen) {
      if (this.#box.value === "") this.#box.blur();
      else this.#box.value = "";
      return;
    }
    this.#close();
    if (this.#opener instanceof HTMLElement && this.#opener !== document.body) this.#opener.focus();
    else if (this.#opener) this.#box.blur();
    this.#opener = null;
  }

  async #enter(): Promise<void> {
    this.#form.setAttribute("aria-busy", "true");
    await this.#answered;
    this.#form.removeAttribute("aria-busy");
    if (!this.#list.clickChosen()) this.#form.requestSubmit();
  }

  #close(): void {
    this.#isWanted = false;
    this.#list.close();
  }
}
