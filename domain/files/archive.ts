import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isDeviceName, isRepositoryName } from "#domain/files/unsafe-name.ts";
import { toVisibleName } from "#domain/files/visible-name.ts";
import { itemAt, required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";

/** Names inside an archive that every system can unpack. They are safe on Windows and unique without regard to case. */
export const MANIFEST_NAME = "manifest.json";

const LONG_NAME = FILE_NAME_MAX - " (1000000)".length;
const UNSAFE = /[<>:"|?*/\\\p{Cc}]/gu;

export function safeName(name: string): string {
  const plain = toVisibleName(name)
    .replace(UNSAFE, "_")
    .replace(/[. ]+$/, (end) => "_".repeat(end.length));
  return isDeviceName(plain) || isRepositoryName(name) ? `_${plain}` : plain;
}

/** Returns a safe unique name for each name, in order, and avoids the reserved ones. */
export function archiveNames(names: readonly string[], reserved = [MANIFEST_NAME]): string[] {
  const takenNames = new Set(reserved);
  // Thousands of names may collide, so each collision continues at the next free number of its kind. All long names are one
  // kind: they are cut to make room for the number, and may collide only after that.
  const nextNumbers = new Map<string, number>();
  return names.map((name) => {
    const safe = safeName(name);
    const kind = codePoints(safe) > LONG_NAME ? "" : foldName(safe);
    let freeName = safe;
    for (let number = nextNumbers.get(kind) ?? 2; takenNames.has(foldName(freeName)); number += 1) {
      freeName = numberedName(safe, number);
      nextNumbers.set(kind, number + 1);
    }
    takenNames.add(foldName(freeName));
    return freeName;
  });
}

/** Returns a safe path for each path, in order. Names are unique within their directory. */
export function archivePaths(paths: readonly string[]): string[] {
  const entries = paths.map((path) => {
    const names = path.split("/");
    const file = names.pop() ?? "";
    return { directory: names.map((name) => `${safeName(name)}/`).join(""), file };
  });
  const safe = new Map<number, string>();
  for (const group of Map.groupBy(entries.entries(), ([, { directory }]) => foldName(directory)).values()) {
    const names = archiveNames(
      group.map(([, { file }]) => file),
      [],
    );
    for (const [i, [index, entry]] of group.entries())
      safe.set(index, `${entry.directory}${itemAt(names, i)}`);
  }
  return paths.map((_, i) => required(safe.get(i), "path in an archive"));
}

/** Composes letters, because systems that ignore case may also do that. */
const foldName = (name: string) => name.normalize("NFC").toLowerCase();
