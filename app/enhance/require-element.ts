/** An element that the page's own markup is certain to have. */
export function requireElement<Found extends Element = HTMLElement>(
  inside: ParentNode,
  selector: string,
): Found {
  const found = inside.querySelector<Found>(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}
