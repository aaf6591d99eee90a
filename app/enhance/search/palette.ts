// Without it the box of the bar leads to the page of the search; with it suggestions open below the box as one types.
import { fetchPart } from "#app/enhance/page-part.ts";
import { SuggestionList } from "#app/enhance/search/suggestion-list.ts";

const ASK_EVERY_MS = 80;
/** After so long the box leads to the page of the search. */
const ANSWER_MAX_MS = 10_000;
const BOX = "[data-search-key]";
const OPENED_FILE = /^\/(?:file|md|svg)\/([0-9a-f]{24})$/;

let palette: Palette | null = null;

export function enhancePalette(): void {
  const box = document.querySelector<HTMLInputElement>(BOX);
  const { reader } = document.body.dataset;
  if (box?.form && reader) palette = new Palette(box, box.form, reader);
}

/** Opens it from anywhere on the page; closing it gives the focus back. */
export function openPalette(): void {
  document.querySelector<HTMLDialogElement>("dialog.sheet")?.close();
  palette?.openFrom(document.activeElement);
}

/** The box, its request, and where the focus came from. The list below shows the answer. */
class Palette {
  readonly #box: HTMLInputElement;
  readonly #form: HTMLFormElement;
  readonly #list: SuggestionList;
  #opener: Element | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the text as it is now is still to be asked for. */
  #isWanted = false;
  /** The questions under way; null where there are none. */
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
    form.addEventListener("submit", () => this.#list.keepTyped());
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

  /** One question at a time: what is typed while one is under way is asked after it, the latest text alone. */
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

  /** An answer to a text that was changed since is not shown; without an answer nothing older stays. */
  async #bring(): Promise<void> {
    this.#askedAtMs = performance.now();
    this.#isWanted = false;
    const file = OPENED_FILE.exec(location.pathname)?.[1];
    const query = new URLSearchParams({ q: this.#box.value, ...(file ? { file } : {}) });
    const found = await fetchPart(`/go?${query}`, "[data-go-results]", { timeoutMs: ANSWER_MAX_MS });
    if (this.#isWanted || !this.#list.isOpen) return;
    if (found) this.#list.show(found);
    else this.#list.close();
  }

  #press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // What is still being composed takes its keys itself.
    if (event.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      if (this.#list.isOpen) this.#list.move(step);
      else this.#ask();
    } else if (event.key === "Enter" && this.#list.isOpen) {
      event.preventDefault();
      void this.#enter();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#escape();
    }
  }

  /** First the list is closed, then the box is emptied, then it is left. Who came here by a key goes back at once. */
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

  /** Opens what is chosen for the text as it is now. Where the server does not answer, it opens the page of the search. */
  async #enter(): Promise<void> {
    this.#form.setAttribute("aria-busy", "true");
    await this.#answered;
    this.#form.removeAttribute("aria-busy");
    if (!this.#list.press()) this.#form.requestSubmit();
  }

  #close(): void {
    this.#isWanted = false;
    this.#list.close();
  }
}
