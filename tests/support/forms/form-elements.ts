/** Elements of a `FormPage`, resolved at each use. */
import { required } from "#domain/required.ts";
import { findByLabel, findByRole, findByText, isVisible, matches, squeeze } from "./elements.ts";
import type { FormPage } from "./form-page.ts";
import type { Choice, ChosenFile, Naming, WebElements } from "./web-page.ts";

export type Wanted = { hasText?: string | RegExp };
type State = "attached" | "detached" | "visible" | "hidden";

export class FormElements implements WebElements {
  readonly #page: FormPage;
  readonly #what: string;
  readonly #find: () => Element[];

  constructor(page: FormPage, what: string, find: () => Element[]) {
    this.#page = page;
    this.#what = what;
    this.#find = find;
  }

  elements = (): Element[] => this.#find();
  #narrow = (what: string, find: (elements: Element[]) => Element[]) =>
    new FormElements(this.#page, `${this.#what} > ${what}`, () => find(this.#find()));
  #within = (what: string, find: (root: Element) => Element[]) =>
    this.#narrow(what, (roots) => [...new Set(roots.flatMap(find))]);

  getByRole = (role: string, naming: Naming = {}) =>
    this.#within(`${role} ${naming.name ?? ""}`, (root) => findByRole(root, role, naming));
  getByLabel = (label: string | RegExp, { exact = false } = {}) =>
    this.#within(`label ${label}`, (root) => findByLabel(root, label, exact));
  getByText = (text: string | RegExp, { exact = false } = {}) =>
    this.#within(`text ${text}`, (root) => findByText(root, text, exact));
  locator = (selector: string, wanted: Wanted = {}) =>
    this.#within(selector, (root) => [...root.querySelectorAll(selector)]).filter(wanted);
  filter = ({ hasText }: Wanted): FormElements => {
    if (hasText === undefined) return this;
    return this.#narrow(`with ${hasText}`, (elements) =>
      elements.filter((element) => matches(squeeze(element.textContent), hasText)),
    );
  };
  first = () => this.#narrow("the first", (elements) => elements.slice(0, 1));
  last = () => this.#narrow("the last", (elements) => elements.slice(-1));
  all = async () =>
    this.#find().map((_, i) => this.#narrow(`number ${i}`, (elements) => elements.slice(i, i + 1)));
  count = async (): Promise<number> => this.#find().length;

  /** Waits until exactly one element matches. */
  async #only(timeoutMs?: number): Promise<Element> {
    let elements: Element[] = [];
    const holds = () => {
      elements = this.#find();
      return elements.length === 1;
    };
    await this.#page.until(holds, () => `${elements.length} elements are ${this.#what}`, timeoutMs);
    return required(elements[0]);
  }

  async waitFor({
    state = "visible" as State,
    timeout,
  }: {
    state?: State;
    timeout?: number;
  } = {}): Promise<void> {
    const holds = () => {
      const elements = this.#find();
      if (elements.length > 1) throw new Error(`${elements.length} elements are ${this.#what}`);
      if (state === "attached") return elements.length === 1;
      if (state === "detached") return elements.length === 0;
      return elements.some(isVisible) === (state === "visible");
    };
    await this.#page.until(holds, () => `${this.#what} is not ${state}`, timeout);
  }

  /** The same for an enabled control. */
  async #usable(timeoutMs?: number): Promise<Element> {
    const element = await this.#only(timeoutMs);
    if (!isVisible(element)) throw new Error(`${this.#what} is hidden on ${this.#page.url()}`);
    if (element.matches(":disabled")) throw new Error(`${this.#what} is disabled on ${this.#page.url()}`);
    return element;
  }

  click = async ({ timeout }: { timeout?: number } = {}) => this.#page.click(await this.#usable(timeout));
  press = async (_key: "Enter") => this.#page.pressEnter(await this.#usable());

  async fill(text: string): Promise<void> {
    const field = (await this.#usable()) as HTMLInputElement;
    if (field.readOnly) throw new Error(`${this.#what} can only be read`);
    field.focus();
    field.value = text;
  }

  async #tick(isTicked: boolean): Promise<void> {
    const box = (await this.#usable()) as HTMLInputElement;
    if (box.checked !== isTicked) await this.#page.click(box);
  }

  check = () => this.#tick(true);
  uncheck = () => this.#tick(false);

  async selectOption(choice: Choice): Promise<void> {
    const select = (await this.#usable()) as HTMLSelectElement;
    const option = [...select.options].find(({ value, label }) =>
      typeof choice === "string" ? [value, label].includes(choice) : label === choice.label,
    );
    if (!option) throw new Error(`${this.#what} has no such choice: ${JSON.stringify(choice)}`);
    select.value = option.value;
  }

  async setInputFiles(files: ChosenFile | ChosenFile[]): Promise<void> {
    const field = (await this.#only()) as HTMLInputElement;
    this.#page.chosenFiles.set(
      field,
      [files]
        .flat()
        .map(({ name, mimeType, buffer }) => new File([new Uint8Array(buffer)], name, { type: mimeType })),
    );
    field.removeAttribute("required");
  }

  inputValue = async (): Promise<string> => ((await this.#only()) as HTMLInputElement).value;
  isChecked = async (): Promise<boolean> => ((await this.#only()) as HTMLInputElement).checked;
  isVisible = async (): Promise<boolean> => this.#find().some(isVisible);
  textContent = async (): Promise<string | null> => (await this.#only()).textContent;
  allTextContents = async (): Promise<string[]> => this.#find().map(({ textContent }) => textContent ?? "");
  getAttribute = async (name: string): Promise<string | null> => (await this.#only()).getAttribute(name);
  evaluate = async <R, E extends SVGElement | HTMLElement = SVGElement | HTMLElement>(
    work: (element: E) => R,
  ): Promise<R> => work((await this.#only()) as unknown as E);
  evaluateAll = async <R, E extends SVGElement | HTMLElement = SVGElement | HTMLElement>(
    work: (elements: E[]) => R,
  ): Promise<R> => work(this.#find() as unknown as E[]);
}
