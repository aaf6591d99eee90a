/**
 * The features of a page that a journey without scripts needs, under Playwright's names: both a browser's page and `FormPage` provide
 * them, so a journey over these types is the same with JavaScript and without.
 */
import type { Readable } from "node:stream";

export type Naming = {
  name?: string | RegExp;
  exact?: boolean;
  level?: number;
  checked?: boolean;
  pressed?: boolean;
};
export type Choice = string | { label: string };
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

export interface WebParts {
  getByRole(role: string, naming?: Naming): WebElements;
  getByLabel(label: string | RegExp, options?: { exact?: boolean }): WebElements;
  getByText(text: string | RegExp, options?: { exact?: boolean }): WebElements;
  locator(selector: string, options?: { hasText?: string | RegExp }): WebElements;
}

/** The page's current elements for a description; an action needs exactly one. */
export interface WebElements extends WebParts {
  filter(options: { hasText?: string | RegExp }): WebElements;
  first(): WebElements;
  last(): WebElements;
  all(): Promise<WebElements[]>;
  count(): Promise<number>;
  waitFor(options?: {
    state?: "attached" | "detached" | "visible" | "hidden";
    timeout?: number;
  }): Promise<void>;
  click(options?: { timeout?: number }): Promise<void>;
  press(key: "Enter"): Promise<void>;
  fill(text: string): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  selectOption(choice: Choice): Promise<unknown>;
  setInputFiles(files: ChosenFile | ChosenFile[]): Promise<void>;
  inputValue(): Promise<string>;
  isChecked(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  textContent(): Promise<string | null>;
  allTextContents(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
  evaluate<R, E extends SVGElement | HTMLElement = SVGElement | HTMLElement>(
    work: (element: E) => R,
  ): Promise<R>;
  evaluateAll<R, E extends SVGElement | HTMLElement = SVGElement | HTMLElement>(
    work: (elements: E[]) => R,
  ): Promise<R>;
}

export interface WebAnswer {
  status(): number;
  ok(): boolean;
  headers(): Record<string, string>;
  text(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared by matchers
  json(): Promise<any>;
}

type Sent = { data?: string | object; form?: Record<string, string>; headers?: Record<string, string> };

/** Sends requests with a page's cookies. */
export interface WebRequests {
  get(path: string, sent?: Sent): Promise<WebAnswer>;
  post(path: string, sent?: Sent): Promise<WebAnswer>;
  put(path: string, sent?: Sent): Promise<WebAnswer>;
  patch(path: string, sent?: Sent): Promise<WebAnswer>;
  delete(path: string, sent?: Sent): Promise<WebAnswer>;
}

export interface WebDownload {
  suggestedFilename(): string;
  createReadStream(): Promise<Readable>;
}

export interface WebContext {
  newPage(): Promise<WebPage>;
  cookies(): Promise<{ name: string; value: string }[]>;
  clearCookies(options?: { name: string }): Promise<void>;
}

export interface WebPage extends WebParts {
  readonly request: WebRequests;
  readonly keyboard: { press(key: string): Promise<void> };
  goto(path: string, options?: { referer: string }): Promise<Pick<WebAnswer, "status" | "headers"> | null>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  content(): Promise<string>;
  context(): WebContext;
  waitForURL(url: string | RegExp | ((url: URL) => boolean)): Promise<void>;
  waitForEvent(event: "download"): Promise<WebDownload>;
}
