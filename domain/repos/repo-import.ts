import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { numberedName } from "#domain/files/trash.ts";
import { required } from "#domain/required.ts";

/** Taking files of a mirror into the library, whose names are no paths. */
export const IMPORT_FILES_MAX = 2_000;
export const IMPORT_BYTES_MAX = 20 * 1024 * 1024;

/** A name for each path: its last part, and as many folders before it as tell it from the others. */
export function importNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  let open = [...paths];
  for (let depth = 1; open.length > 0; depth += 1) {
    const named = Map.groupBy(open, (path) => shortName(path, depth));
    open = [];
    for (const [name, same] of named) {
      const [path, ...others] = same;
      if (path !== undefined && others.length === 0) names.set(path, name);
      else if (same.every((one) => one.split("/").length <= depth)) numberAll(names, name, same);
      else open.push(...same);
    }
  }
  return unique(paths, names);
}

function shortName(path: string, depth: number): string {
  const name = path.split("/").slice(-depth).join("-");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path may have them, a name may not
  const plain = name.replace(/[\\\u0000-\u001f\u007f-\u009f]/g, "_").toWellFormed();
  return [...plain].slice(-FILE_NAME_MAX).join("");
}

function numberAll(names: Map<string, string>, name: string, paths: readonly string[]): void {
  for (const [i, path] of paths.entries()) names.set(path, i === 0 ? name : numberedName(name, i + 1));
}

/** Names found at different depths may meet. */
function unique(paths: readonly string[], names: ReadonlyMap<string, string>): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    paths.map((path) => {
      const name = required(names.get(path), "name for a path");
      let free = name;
      for (let number = 2; taken.has(free); number += 1) free = numberedName(name, number);
      taken.add(free);
      return [path, free];
    }),
  );
}
