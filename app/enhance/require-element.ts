/** Returns an element that the page's markup always has. */
export function requireElement<Result extends Element = HTMLElement>(
  inside: ParentNode,
  selector: string,
): Result {
  const element = inside.querySelector<Result>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}
