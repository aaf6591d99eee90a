/** Finds elements as people name them: by role and name, by label, by words. It ignores styles: what only they hide counts as visible. */
import type { Naming } from "./web-page.ts";

/** The elements with each role in HTML; `role="…"` is added. */
const ROLES: Record<string, string> = {
  alert: "",
  banner: "body > header, body > * > header",
  button: "button, input:is([type=submit], [type=button], [type=reset])",
  cell: "td",
  checkbox: "input[type=checkbox]",
  columnheader: "th:not([scope=row])",
  combobox: "select:not([multiple]), input[list]",
  complementary: "aside",
  dialog: "dialog",
  group: "fieldset, details",
  heading: "h1, h2, h3, h4, h5, h6",
  img: "img[alt]",
  link: "a[href]",
  list: "ul, ol",
  listitem: "li",
  main: "main",
  meter: "meter",
  navigation: "nav",
  radio: "input[type=radio]",
  region: "section:is([aria-label], [aria-labelledby])",
  rowheader: "th[scope=row]",
  status: "output",
  textbox: "textarea, input:not([list]):is(:not([type]), [type=text], [type=email], [type=url], [type=tel])",
  toolbar: "",
};

/** Roles whose elements are named by their content. */
const NAMED_BY_CONTENT = ["button", "cell", "columnheader", "heading", "link", "rowheader"];
const UNSEEN = "script, style, template, head";
const HIDDEN =
  "[hidden], dialog:not([open]), details:not([open]) > :not(summary:first-of-type), input[type=hidden], .needs-script";

export const squeeze = (text: string | null): string => (text ?? "").replace(/[\u200b\s]+/g, " ").trim();

export function matches(text: string, wanted: string | RegExp, isExact = false): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  return isExact ? text === squeeze(wanted) : text.toLowerCase().includes(squeeze(wanted).toLowerCase());
}

export const isVisible = (element: Element): boolean => element.closest(`${HIDDEN}, ${UNSEEN}`) === null;

/** The words of an element, with its pictures' alternative texts. */
function readContent(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? "";
  const { childNodes } = node;
  if (node.nodeType !== 1) return "";
  const element = node as Element;
  if (element.matches(`[aria-hidden=true], ${HIDDEN}, ${UNSEEN}`)) return "";
  const label = element.getAttribute("aria-label") ?? element.getAttribute("alt");
  return label ?? [...childNodes].map(readContent).join("");
}

/** The labels of a control, or the elements that name another element. */
function readLabels(element: Element): string[] {
  const ids = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  if (ids.length > 0)
    return [ids.map((id) => squeeze(element.ownerDocument.getElementById(id)?.textContent ?? "")).join(" ")];
  const label = element.getAttribute("aria-label");
  if (label !== null) return [squeeze(label)];
  const { labels } = element as HTMLInputElement;
  return [...(labels ?? [])].map((each) => squeeze(each.textContent));
}

function readName(element: Element, role: string): string {
  const labels = readLabels(element);
  if (labels.length > 0) return labels.join(" ");
  if (element.localName === "input" && role === "button") return (element as HTMLInputElement).value;
  if (element.localName === "fieldset") return squeeze(element.querySelector("legend")?.textContent ?? "");
  const content = NAMED_BY_CONTENT.includes(role) ? squeeze(readContent(element)) : "";
  return content || squeeze(element.getAttribute("alt") ?? element.getAttribute("title"));
}

const isChecked = (element: Element): boolean =>
  element.localName === "input"
    ? (element as HTMLInputElement).checked
    : element.getAttribute("aria-checked") === "true";

function hasState(element: Element, { level, checked, pressed }: Naming): boolean {
  const headingLevel = Number(element.getAttribute("aria-level") ?? element.localName.slice(1));
  return (
    (level === undefined || headingLevel === level) &&
    (checked === undefined || isChecked(element) === checked) &&
    (pressed === undefined || (element.getAttribute("aria-pressed") === "true") === pressed)
  );
}

export function findByRole(root: ParentNode, role: string, naming: Naming): Element[] {
  const selector = ROLES[role];
  if (selector === undefined) throw new Error(`No elements are known for the role ${role}`);
  const own = selector === "" ? "" : `:is(${selector}):not([role]), `;
  const { name, exact } = naming;
  return [...root.querySelectorAll(`${own}[role=${role}]`)].filter(
    (element) =>
      isVisible(element) &&
      hasState(element, naming) &&
      (name === undefined || matches(readName(element, role), name, exact)),
  );
}

export const findByLabel = (root: ParentNode, label: string | RegExp, isExact?: boolean): Element[] =>
  [...root.querySelectorAll("[aria-label], [aria-labelledby], input, select, textarea, button")].filter(
    (element) => readLabels(element).some((each) => matches(each, label, isExact)),
  );

export function findByText(root: ParentNode, text: string | RegExp, isExact?: boolean): Element[] {
  const hasText = (element: Element) =>
    !element.matches(UNSEEN) && matches(squeeze(element.textContent), text, isExact);
  return [...root.querySelectorAll("body *")].filter(
    (element) => hasText(element) && ![...element.children].some(hasText),
  );
}
