type PartRequest = { body?: FormData | URLSearchParams; timeoutMs?: number };

/**
 * Brings a part of a page of ours: by POST where there is a body, else by GET. Null where no such part comes back, for example because
 * the network failed, the time ran out or the session has ended.
 */
export function fetchPart(
  path: string,
  selector: string,
  { body, timeoutMs = 0 }: PartRequest = {},
): Promise<HTMLElement | null> {
  const request = new XMLHttpRequest();
  request.open(body ? "POST" : "GET", path);
  request.setRequestHeader("Accept", "text/html");
  // A document by request is parsed without its scripts.
  request.responseType = "document";
  request.timeout = timeoutMs;
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve(request.response?.querySelector(selector) ?? null));
    request.send(body);
  });
}

/** Sends a form as its button would and brings the part of the page that comes back. */
export function askForPart(
  form: HTMLFormElement,
  submitter: HTMLButtonElement,
  selector: string,
): Promise<HTMLElement | null> {
  const sent = new FormData(form, submitter);
  // Only the other encoding sends files; these fields are texts.
  const body = form.enctype === "multipart/form-data" ? sent : new URLSearchParams(sent as never);
  return fetchPart(form.action, selector, { body });
}

/** What comes back without the part is a page of its own. */
export function sendPlainly(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const intent = document.createElement("input");
  Object.assign(intent, { type: "hidden", name, value });
  form.append(intent);
  form.submit();
}

/** Loads the styles that a part brings along, in it or in its templates, unless the page has them. */
export async function loadStyles(part: HTMLElement): Promise<void> {
  const templates = [...part.querySelectorAll("template")].map(({ content }) => content);
  const sheets = [part, ...templates]
    .flatMap((place) => [...place.querySelectorAll("link")])
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
