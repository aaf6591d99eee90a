import { utf8Bytes } from "#domain/text/text.ts";

/** A property that a client stores on a file or folder; only clients understand it. `xml` is the complete element. */
export type DeadProperty = { namespace: string; name: string; xml: string };

/** Lists read files with their properties, and all folders of a person are a single document, so properties are small. */
export const PROPERTIES_MAX = 40;
export const FILE_PROPERTIES_MAX_BYTES = 4_096;
export const FOLDER_PROPERTIES_MAX_BYTES = 4_096;
export const ALL_FOLDER_PROPERTIES_MAX_BYTES = 512 * 1024;

export const measureProperties = (properties: readonly DeadProperty[]): number =>
  properties.reduce(
    (sum, { namespace, name, xml }) => sum + utf8Bytes(namespace) + utf8Bytes(name) + utf8Bytes(xml),
    0,
  );
