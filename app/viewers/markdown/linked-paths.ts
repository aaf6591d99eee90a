import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import { listRelativePaths } from "#domain/files/folders/relative-address.ts";

/** Relative addresses beyond this number lead nowhere. */
const LINKED_FILES_MAX = 500;

/** The paths of the files that a text's preview links to. A longer text has no preview, so no links. */
export const listLinkedPaths = (body: string): string[] =>
  body.length > RENDER_MAX_LENGTH ? [] : listRelativePaths(body, LINKED_FILES_MAX);
