/**
 * Pages of the product without a browser: no scripts and no styles, but links, forms and their rules as in HTML. It follows links and
 * redirects, keeps cookies, validates forms as a browser does, and reloads pages that refresh themselves.
 */
import { basename } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { CookieJar, type DOMWindow, JSDOM, VirtualConsole } from "jsdom";
import { required } from "#domain/required.ts";
import { findByLabel, findByRole, findByText, squeeze } from "./elements.ts";
import { FormElements, type Wanted } from "./form-elements.ts";
import type { Naming, WebContext, WebDownload, WebPage, WebRequests } from "./web-page.ts";

const REDIRECTS_MAX = 10;
/** Refreshes pages sooner than they ask for. */
const REFRESH_MS = 250;
const WAIT_MS = 10_000;
const NAVIGATION = {
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
};

type Body = string | FormData | URLSearchParams | undefined;
/** `from` is the page with the link or the form; a typed address has none. */
type Navigation = { url: string; method?: string; body?: Body; from?: string; isNewTab?: boolean };

/** Records of all pages of one visitor. */
export type Watcher = {
  onSent(type: string, body: string): void;
  onError(error: string): void;
  onPage(url: string, html: string): void;
};

/** One visitor: the cookies and the requests of all their pages. */
export class FormVisitor implements WebContext {
  readonly jar = new CookieJar();
  readonly baseUrl: string;
  readonly watcher: Watcher;

  constructor(baseUrl: string, watcher: Watcher) {
    this.baseUrl = baseUrl;
    this.watcher = watcher;
  }

  newPage = async (): Promise<FormPage> => new FormPage(this);

  async cookies() {
    return (await this.jar.getCookies(this.baseUrl)).map(({ key, value }) => ({ name: key, value }));
  }

  async clearCookies(options?: { name: string }): Promise<void> {
    const { store } = this.jar;
    for (const { domain, path, key } of await this.jar.getCookies(this.baseUrl))
      if (options === undefined || options.name === key) await store.removeCookie(domain, path, key);
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Accept-Language", "en");
    const cookies = await this.jar.getCookieString(url);
    if (cookies) headers.set("Cookie", cookies);
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) await this.jar.setCookie(cookie, url);
    if (init.method !== "GET") {
      const { body } = init;
      const isText = typeof body === "string" || body instanceof URLSearchParams;
      const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "";
      this.watcher.onSent(headers.get("Content-Type") ?? type, isText ? String(body) : "");
    }
    return answer;
  }
}

function createRequests(visitor: FormVisitor): WebRequests {
  type Sent = Parameters<WebRequests["post"]>[1];
  const send =
    (method: string) =>
    async (path: string, { data, form, headers }: NonNullable<Sent> = {}) => {
      const isJson = typeof data === "object";
      const type: Record<string, string> = isJson ? { "Content-Type": "application/json" } : {};
      const body = form ? new URLSearchParams(form) : isJson ? JSON.stringify(data) : (data as string);
      const init = { method, body, headers: { ...type, ...headers } };
      const answer = await visitor.fetch(new URL(path, visitor.baseUrl).href, init);
      return {
        status: () => answer.status,
        ok: () => answer.ok,
        headers: () => Object.fromEntries(answer.headers),
        text: () => answer.text(),
        json: () => answer.json(),
      };
    };
  return {
    get: send("GET"),
    post: send("POST"),
    put: send("PUT"),
    patch: send("PATCH"),
    delete: send("DELETE"),
  };
}

const EMPTY = "<!DOCTYPE html><title></title>";

export class FormPage implements WebPage {
  readonly request: WebRequests;
  readonly #visitor: FormVisitor;
  readonly #history: string[] = [];
  #dom: JSDOM = new JSDOM(EMPTY);
  #refreshes = false;
  #next: Navigation | null = null;
  #onDownload: ((download: WebDownload) => void) | null = null;
  #onPopup: ((page: FormPage) => void) | null = null;
  /** The files chosen in a field, which jsdom cannot hold. */
  readonly chosenFiles = new WeakMap<Element, File[]>();

  constructor(visitor: FormVisitor) {
    this.#visitor = visitor;
    this.request = createRequests(visitor);
  }

  get document(): Document {
    return this.#dom.window.document;
  }

  readonly keyboard = {
    press: async (key: string): Promise<void> => {
      if (key !== "Enter") throw new Error(`${key} does nothing without scripts`);
      await this.pressEnter(required(this.document.activeElement));
    },
  };

  url = (): string => this.#dom.window.location.href;
  title = async (): Promise<string> => this.document.title;
  content = async (): Promise<string> => this.#dom.serialize();
  context = (): FormVisitor => this.#visitor;
  goto = (path: string, { referer }: { referer?: string } = {}) =>
    this.#navigate({ url: new URL(path, this.#visitor.baseUrl).href, from: referer });
  reload = () => this.#navigate({ url: this.url() });

  goBack() {
    this.#history.pop();
    return this.#navigate({ url: required(this.#history.pop()) });
  }

  #find = (what: string, find: () => Element[]) => new FormElements(this, what, find);
  getByRole = (role: string, naming: Naming = {}) =>
    this.#find(`${role} ${naming.name ?? ""}`, () => findByRole(this.document, role, naming));
  getByLabel = (label: string | RegExp, { exact = false } = {}) =>
    this.#find(`label ${label}`, () => findByLabel(this.document, label, exact));
  getByText = (text: string | RegExp, { exact = false } = {}) =>
    this.#find(`text ${text}`, () => findByText(this.document, text, exact));
  locator = (selector: string, wanted: Wanted = {}) =>
    this.#find(selector, () => [...this.document.querySelectorAll(selector)]).filter(wanted);

  /** Waits for a condition, refreshing the page as often as it asks. */
  async until(holds: () => boolean, what: () => string, timeoutMs = WAIT_MS): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!holds()) {
      if (!this.#refreshes || performance.now() > end)
        throw new Error(
          `${what()} on ${this.url()}:\n${squeeze(this.document.body.textContent).slice(0, 2_000)}`,
        );
      await sleep(REFRESH_MS);
      await this.reload();
    }
  }

  waitForURL(url: string | RegExp | ((url: URL) => boolean)): Promise<void> {
    const pattern = typeof url === "string" ? toPattern(url) : url;
    const holds = () =>
      pattern instanceof RegExp
        ? pattern.test(this.url())
        : (pattern as (url: URL) => boolean)(new URL(this.url()));
    return this.until(holds, () => `is not ${url}`);
  }

  waitForEvent(event: "download"): Promise<WebDownload>;
  waitForEvent(event: "popup"): Promise<FormPage>;
  waitForEvent(event: "download" | "popup"): Promise<WebDownload | FormPage> {
    return new Promise((resolve) => {
      if (event === "download") this.#onDownload = resolve;
      else this.#onPopup = resolve;
    });
  }

  /** Clicks as a person would, and goes where that leads. */
  async click(element: Element): Promise<void> {
    const { form, formNoValidate } = element as HTMLButtonElement;
    if (formNoValidate && form) form.noValidate = true;
    (element as HTMLElement).focus?.();
    (element as HTMLElement).click();
    await this.#follow();
  }

  /** In a field, presses its form's default button. */
  async pressEnter(element: Element): Promise<void> {
    const { form } = element as HTMLInputElement;
    if (element.localName !== "input" || !form) return this.click(element);
    const button = [...form.elements].find((each) =>
      each.matches("button:not([type=button], [type=reset]), input[type=submit]"),
    );
    if (button) return this.click(button);
    form.requestSubmit();
    await this.#follow();
  }

  async #follow(): Promise<void> {
    const next = this.#next;
    this.#next = null;
    if (next?.isNewTab) {
      const page = await this.#visitor.newPage();
      await page.#navigate({ ...next, from: this.url() });
      this.#onPopup?.(page);
    } else if (next) await this.#navigate({ ...next, from: this.url() });
  }

  async #navigate({ url, method = "GET", body, from }: Navigation) {
    const { watcher } = this.#visitor;
    let [address, verb, sent] = [url, method, body];
    for (let redirects = 0; redirects < REDIRECTS_MAX; redirects += 1) {
      const headers: Record<string, string> = { Accept: "text/html,application/xhtml+xml", ...NAVIGATION };
      if (from) headers.Referer = from;
      headers["Sec-Fetch-Site"] = this.#siteOf(from);
      if (verb !== "GET") headers.Origin = new URL(this.#visitor.baseUrl).origin;
      const answer = await this.#visitor.fetch(address, { method: verb, body: sent, headers });
      const location = answer.headers.get("Location");
      if (location && answer.status >= 300 && answer.status < 400) {
        const { hash } = new URL(address);
        const target = new URL(location, address);
        if (target.hash === "") target.hash = hash;
        address = target.href;
        if (answer.status < 307) [verb, sent] = ["GET", undefined];
        continue;
      }
      if (answer.status >= 400)
        watcher.onError(`Failed to load resource: the server responded with a status of ${answer.status}`);
      if (answer.headers.get("Content-Disposition")?.startsWith("attachment"))
        await this.#download(answer, address);
      else if (answer.status !== 204) await this.#show(answer, address);
      return { status: () => answer.status, headers: () => Object.fromEntries(answer.headers) };
    }
    throw new Error(`${url} redirects for ever`);
  }

  #siteOf(from: string | undefined): string {
    if (from === undefined) return "none";
    return from.startsWith(this.#visitor.baseUrl) ? "same-origin" : "cross-site";
  }

  async #download(answer: Response, address: string): Promise<void> {
    const disposition = answer.headers.get("Content-Disposition") ?? "";
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
    const plain = /filename="([^"]*)"/.exec(disposition)?.[1];
    const name = encoded ? decodeURIComponent(encoded) : (plain ?? basename(new URL(address).pathname));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    this.#onDownload?.({
      suggestedFilename: () => name,
      createReadStream: async () => Readable.from([bytes]),
    });
  }

  async #show(answer: Response, url: string): Promise<void> {
    const html = await answer.text();
    this.#visitor.watcher.onPage(url, html);
    const isHtml = answer.headers.get("Content-Type")?.includes("html");
    this.#dom.window.close();
    this.#dom = new JSDOM(isHtml ? html : EMPTY, { url, virtualConsole: new VirtualConsole() });
    if (this.#history.at(-1) !== url) this.#history.push(url);
    const { window } = this.#dom;
    this.#refreshes =
      answer.headers.has("Refresh") || this.document.querySelector("meta[http-equiv=refresh i]") !== null;
    this.document.querySelector<HTMLElement>("[autofocus]")?.focus();
    window.addEventListener("click", (event) => this.#onClick(event));
    window.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#next = this.#toNavigation(window, event.target as HTMLFormElement, event.submitter);
    });
  }

  #onClick(event: Event): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (!link) return;
    event.preventDefault();
    const [path, hash] = link.href.split("#");
    if (hash !== undefined && path === this.url().split("#")[0]) {
      this.#dom.window.location.hash = hash;
      this.#history.push(this.url());
    } else this.#next = { url: link.href, isNewTab: link.target === "_blank" };
  }

  #toNavigation(window: DOMWindow, form: HTMLFormElement, submitter: HTMLElement | null): Navigation | null {
    const read = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
    const url = new URL(read("action") || this.url(), this.url());
    const method = (read("method") ?? "get").toUpperCase();
    if (method === "DIALOG") {
      form.closest("dialog")?.removeAttribute("open");
      return null;
    }
    const entries: [string, string | File][] = [];
    for (const [name, value] of new window.FormData(form, submitter ?? undefined))
      if (typeof value === "string") entries.push([name, value.replace(/\r\n?|\n/g, "\r\n")]);
    for (const field of form.querySelectorAll<HTMLInputElement>("input[type=file][name]:enabled"))
      for (const file of this.chosenFiles.get(field) ?? [new File([], "")]) entries.push([field.name, file]);
    const isNewTab = read("target") === "_blank";
    if (method === "POST" && read("enctype") === "multipart/form-data") {
      const body = new FormData();
      for (const [name, value] of entries) body.append(name, value);
      return { url: url.href, method, body, isNewTab };
    }
    const fields = new URLSearchParams(
      entries.map(([name, value]) => [name, value instanceof File ? value.name : value]),
    );
    if (method === "POST") return { url: url.href, method, body: fields, isNewTab };
    url.search = fields.toString();
    return { url: url.href, isNewTab };
  }
}

/** `**` matches anything, `*` anything within a segment of a path. */
function toPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*\*|\*/g, (stars) => (stars === "*" ? "[^/]*" : ".*"))}$`);
}
