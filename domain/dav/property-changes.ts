import { DavProblem } from "#domain/dav/dav-problem.ts";
import { type DeadProperty, measureProperties, PROPERTIES_MAX } from "#domain/files/dead-property.ts";

export type PropertyChange = { set: DeadProperty } | { remove: Pick<DeadProperty, "namespace" | "name"> };

const isSame = (a: Pick<DeadProperty, "namespace" | "name">, b: Pick<DeadProperty, "namespace" | "name">) =>
  a.namespace === b.namespace && a.name === b.name;

/** Applies changes in their order. Removing a missing property is no error, as RFC 4918 says. */
export function changeProperties(
  before: readonly DeadProperty[],
  changes: readonly PropertyChange[],
): DeadProperty[] {
  let properties = [...before];
  for (const change of changes) {
    const target = "set" in change ? change.set : change.remove;
    properties = properties.filter((property) => !isSame(property, target));
    if ("set" in change) properties.push(change.set);
  }
  return properties;
}

export function checkProperties(properties: readonly DeadProperty[], maxBytes: number): DavProblem | null {
  if (properties.length <= PROPERTIES_MAX && measureProperties(properties) <= maxBytes) return null;
  return DavProblem(507, `A resource keeps ${PROPERTIES_MAX} properties and ${maxBytes} bytes of them.`);
}
