import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRepositoryName } from "#domain/files/unsafe-name.ts";
import { toVisibleName } from "#domain/files/visible-name.ts";
import { itemAt, required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";

/** Names inside an archive that every system can unpack: safe for Windows too, and each used once, whatever its case. */
export const MANIFEST_NAME = "manifest.json";

const LONG_NAME = FILE_NAME_MAX - " (1000000)".length;
const UNSAFE = /[<>:"|?*/\\\p{Cc}]/gu;
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

export function safeName(name: string): string {
  const plain = toVisibleName(name)
    .replace(UNSAFE, "_")
    .replace(/[. ]+$/, (end) => "_".repeat(end.length));
  return RESERVED.test(plain) || isRepositoryName(name) ? `_${plain}` : plain;
}

/** One safe name for each, in order; none takes a reserved one, such as the manifest's. */
export function archiveNames(names: readonly string[], reserved = [MANIFEST_NAME]): string[] {
  const taken = new Set(reserved);
  // Thousands of names may become one; each goes on where the last one of its kind found a free number. Long names are one
  // kind: they are cut to make room for the number, and may become one only then.
  const tried = new Map<string, number>();
  return names.map((name) => {
    const safe = safeName(name);
    const kind = codePoints(safe) > LONG_NAME ? "" : folded(safe);
    let free = safe;
    for (let number = tried.get(kind) ?? 2; taken.has(folded(free)); number += 1) {
      free = numberedName(safe, number);
      tried.set(kind, number + 1);
    }
    taken.add(folded(free));
    return free;
  });
}

/** One safe path for each, in order. Names are safe and used once within each directory. */
export function archivePaths(paths: readonly string[]): string[] {
  const places = paths.map((path) => {
    const names = path.split("/");
    const file = names.pop() ?? "";
    return { directory: names.map((name) => `${safeName(name)}/`).join(""), file };
  });
  const written = new Map<number, string>();
  for (const group of Map.groupBy(places.entries(), ([, { directory }]) => folded(directory)).values()) {
    const names = archiveNames(
      group.map(([, { file }]) => file),
      [],
    );
    for (const [i, [at, place]] of group.entries()) written.set(at, `${place.directory}${itemAt(names, i)}`);
  }
  return paths.map((_, i) => required(written.get(i), "path in an archive"));
}

/** Systems that ignore case may also compose letters. */
const folded = (name: string) => name.normalize("NFC").toLowerCase();
