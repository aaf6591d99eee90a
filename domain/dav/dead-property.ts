import { DavProblem } from "#domain/dav/dav-problem.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/** A property that a client stores on a file or folder; only clients understand it. `xml` is the complete element. */
export type DeadProperty = { namespace: string; name: string; xml: string };

export type PropertyChange = { set: DeadProperty } | { remove: Pick<DeadProperty, "namespace" | "name"> };

/** Lists read files with their properties, and all folders of a person are a single document, so properties are small. */
export const PROPERTIES_MAX = 40;
export const FILE_PROPERTIES_MAX_BYTES = 4_096;
export const FOLDER_PROPERTIES_MAX_BYTES = 4_096;
export const ALL_FOLDER_PROPERTIES_MAX_BYTES = 512 * 1024;

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

export const measureProperties = (properties: readonly DeadProperty[]): number =>
  properties.reduce(
    (sum, { namespace, name, xml }) => sum + utf8Bytes(namespace) + utf8Bytes(name) + utf8Bytes(xml),
    0,
  );

export function checkProperties(properties: readonly DeadProperty[], maxBytes: number): DavProblem | null {
  if (properties.length <= PROPERTIES_MAX && measureProperties(properties) <= maxBytes) return null;
  return DavProblem(507, `A resource keeps ${PROPERTIES_MAX} properties and ${maxBytes} bytes of them.`);
}
