import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import { listRelativePaths } from "#domain/folders/relative-address.ts";

/** Further relative addresses of a text lead nowhere. */
const LINKED_FILES_MAX = 500;

/** The paths of the files that a preview of a text links to. A longer text has no preview, and so no links. */
export const listLinkedPaths = (body: string): string[] =>
  body.length > RENDER_MAX_LENGTH ? [] : listRelativePaths(body, LINKED_FILES_MAX);
