import { FOLDER_DEPTH_MAX } from "#domain/files/folders/folder-tree.ts";

/** An address in a text that is relative to the text's folder: `../img/a.svg#top`. */
type RelativeAddress = {
  /** Without escapes: `../img/a.svg`. */
  path: string;
  /** `#top`, or "". */
  fragment: string;
};

const PATH_MAX = 1_000;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Returns null for other addresses: of a site, of an anchor in the text, from the root. */
export function parseRelativeAddress(address: string): RelativeAddress | null {
  const trimmed = address.trim();
  if (trimmed === "" || trimmed.length > PATH_MAX || HAS_SCHEME.test(trimmed) || /^[/\\?#]/.test(trimmed))
    return null;
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(trimmed) ?? [];
  try {
    return { path: decodeURIComponent(path), fragment };
  } catch {
    return { path, fragment };
  }
}

/** Resolves a path from the root. Returns null for a path above the root or without a file. */
export function resolveRelativePath(folders: readonly string[], path: string): string[] | null {
  const names = [...folders];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") names.push(step);
    else if (names.pop() === undefined) return null;
  }
  const namesFile = !/(?:^|\/)\.{0,2}$/.test(path);
  return namesFile && names.length <= FOLDER_DEPTH_MAX + 1 ? names : null;
}

const ADDRESS_PATTERNS = [
  /\]\(\s*(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))/g,
  /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/gm,
  /\b(?:src|href)\s{0,9}=\s{0,9}(?:["']([^"'\n<>]{1,1000})["']|([^\s"'<>]{1,1000}))/gi,
];

/** Later addresses are ignored. A repeated address costs only a lookup; a new one is parsed. */
const ADDRESSES_MAX = 20_000;
const PARSED_MAX = 2_000;

/** Lists the paths of the relative addresses in a Markdown text, up to the limit, in no certain order. */
export function listRelativePaths(text: string, limit: number): string[] {
  const paths = new Set<string>();
  const parsed = new Set<string>();
  for (const address of listAddresses(text)) {
    if (paths.size >= limit || parsed.size >= PARSED_MAX) break;
    if (parsed.has(address)) continue;
    parsed.add(address);
    const relative = parseRelativeAddress(address.replaceAll("&amp;", "&"));
    if (relative && relative.path !== "") paths.add(relative.path);
  }
  return [...paths];
}

function* listAddresses(text: string): Generator<string> {
  let addressCount = 0;
  for (const pattern of ADDRESS_PATTERNS)
    for (const [, quoted, bare] of text.matchAll(pattern)) {
      addressCount += 1;
      if (addressCount > ADDRESSES_MAX) return;
      yield quoted ?? bare ?? "";
    }
}
