type PartRequest = { body?: FormData | URLSearchParams; timeoutMs?: number };

/**
 * Fetches part of a page, by POST if there is a body. Null if the answer has no such part, for example because the network failed, the time
 * ran out or the session has ended.
 */
export function fetchPart(
  path: string,
  selector: string,
  { body, timeoutMs = 0 }: PartRequest = {},
): Promise<HTMLElement | null> {
  const request = new XMLHttpRequest();
  request.open(body ? "POST" : "GET", path);
  request.setRequestHeader("Accept", "text/html");
  // A document from a request is parsed without running its scripts.
  request.responseType = "document";
  request.timeout = timeoutMs;
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve(request.response?.querySelector(selector) ?? null));
    request.send(body);
  });
}

export function submitForPart(
  form: HTMLFormElement,
  submitter: HTMLButtonElement,
  selector: string,
): Promise<HTMLElement | null> {
  const fields = new FormData(form, submitter);
  // Only multipart sends files; these fields are texts.
  const body = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields as never);
  return fetchPart(form.action, selector, { body });
}

/** Submits the form as usual, because an answer without the part is a page of its own. */
export function submitAsPage(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const intent = document.createElement("input");
  Object.assign(intent, { type: "hidden", name, value });
  form.append(intent);
  form.submit();
}

/** Loads the styles that a part or its templates bring, unless the page has them. */
export async function loadStyles(part: HTMLElement): Promise<void> {
  const templates = [...part.querySelectorAll("template")].map(({ content }) => content);
  const sheets = [part, ...templates]
    .flatMap((root) => [...root.querySelectorAll("link")])
    .map((sheet) => {
      sheet.remove();
      return document.importNode(sheet);
    })
    .filter(({ href }) => !document.querySelector(`link[href="${new URL(href).pathname}"]`));
  const areLoaded = sheets.map(
    (sheet) =>
      new Promise((resolve) => {
        sheet.addEventListener("load", resolve);
        sheet.addEventListener("error", resolve);
      }),
  );
  document.head.append(...sheets);
  await Promise.all(areLoaded);
}
