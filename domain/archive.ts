import { numberedName } from "#domain/bin.ts";

/** Names inside an archive that every system can unpack: safe for Windows too, and each used once, whatever its case. */
export const MANIFEST_NAME = "manifest.json";

const UNSAFE = /[<>:"|?*/\\\p{Cc}\p{Bidi_Control}]/gu;
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

export function safeName(name: string): string {
  const plain = name.replace(UNSAFE, "_").replace(/[. ]+$/, (end) => "_".repeat(end.length));
  return RESERVED.test(plain) ? `_${plain}` : plain;
}

/** One safe name for each, in order; none takes the manifest's. */
export function archiveNames(names: readonly string[]): string[] {
  const taken = new Set([MANIFEST_NAME]);
  return names.map((name) => {
    const safe = safeName(name);
    let free = safe;
    for (let number = 2; taken.has(folded(free)); number += 1) free = numberedName(safe, number);
    taken.add(folded(free));
    return free;
  });
}

/** Systems that ignore case may also compose letters. */
const folded = (name: string) => name.normalize("NFC").toLowerCase();
