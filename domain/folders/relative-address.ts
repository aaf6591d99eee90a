import { FOLDER_DEPTH_MAX } from "#domain/folders/folder-tree.ts";

/** An address in a text that names a file by its way from the text's own folder: `../img/a.svg#top`. */
type RelativeAddress = {
  /** As it is written, without escapes: `../img/a.svg`. */
  path: string;
  /** `#top`, or nothing. */
  fragment: string;
};

const PATH_MAX = 1_000;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Null for an address of another kind: of a site, of a place in the text, from the root. */
export function parseRelativeAddress(address: string): RelativeAddress | null {
  const written = address.trim();
  if (written === "" || written.length > PATH_MAX || HAS_SCHEME.test(written) || /^[/\\?#]/.test(written))
    return null;
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? [];
  try {
    return { path: decodeURIComponent(path), fragment };
  } catch {
    return { path, fragment };
  }
}

/** The path of what an address names, seen from the root; null where it leads above the root or names no file. */
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

const WRITTEN = [
  /\]\(\s*(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))/g,
  /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/gm,
  /\b(?:src|href)\s{0,9}=\s{0,9}(?:["']([^"'\n<>]{1,1000})["']|([^\s"'<>]{1,1000}))/gi,
];

/** Addresses beyond these are not looked at: repeated ones cost a look each, and others are read. */
const LOOKED_AT_MAX = 20_000;
const READ_MAX = 2_000;

/** The paths that relative addresses of a Markdown text name: at most so many, in no certain order. */
export function listRelativePaths(text: string, limit: number): string[] {
  const paths = new Set<string>();
  const read = new Set<string>();
  for (const address of listAddresses(text)) {
    if (paths.size >= limit || read.size >= READ_MAX) break;
    if (read.has(address)) continue;
    read.add(address);
    const relative = parseRelativeAddress(address.replaceAll("&amp;", "&"));
    if (relative && relative.path !== "") paths.add(relative.path);
  }
  return [...paths];
}

function* listAddresses(text: string): Generator<string> {
  let looked = 0;
  for (const pattern of WRITTEN)
    for (const [, quoted, bare] of text.matchAll(pattern)) {
      looked += 1;
      if (looked > LOOKED_AT_MAX) return;
      yield quoted ?? bare ?? "";
    }
}
