import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const IGNORE_FILES = [".gitignore", ".codeshelfignore"];
export const IGNORED_REASON = "left out by an ignore file";

/** More of such a file is not read. */
const IGNORE_MAX_BYTES = 256 * 1024;
type IgnoreRule = { names: string[]; isNegated: boolean; isFolder: boolean };

function parseIgnoreRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const typed = line.replace(/(?<!\\)[ \t]+$/, "");
    if (typed === "" || typed.startsWith("#")) return [];
    const isNegated = typed.startsWith("!");
    const pattern = isNegated ? typed.slice(1) : typed;
    const isFolder = pattern.endsWith("/");
    const path = isFolder ? pattern.slice(0, -1) : pattern;
    const names = path.replace(/^\//, "").split("/");
    if (names.some((name) => name === "")) return [];
    return [{ names: path.includes("/") ? names : ["**", ...names], isNegated, isFolder }];
  });
}

/** Tells whether the names of a path match those of a pattern, in which `**` stands for any number. */
function matchesPath(pattern: readonly string[], names: readonly string[]) {
  // After each part of the pattern: how many names may be used up.
  let ends = new Set([0]);
  for (const [index, part] of pattern.entries()) {
    const isLast = index === pattern.length - 1;
    if (part === "**") {
      const first = Math.min(...ends) + (isLast ? 1 : 0);
      ends = new Set(Array.from({ length: Math.max(0, names.length + 1 - first) }, (_, i) => first + i));
    } else
      ends = new Set(
        [...ends].filter((position) => matchesName(part, names[position])).map((position) => position + 1),
      );
    if (ends.size === 0) return false;
  }
  return ends.has(names.length);
}

/** One name with `*`, `?`, `[…]` and `\\`. What a star stands for grows only where the rest does not match, so this ends soon. */
function matchesName(pattern: string, name: string | undefined) {
  if (name === undefined) return false;
  const parts = pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  const characters = [...name];
  let [part, position, star, starPosition] = [0, 0, -1, 0];
  while (position < characters.length) {
    if (parts[part] === "*") [star, starPosition, part] = [part, position, part + 1];
    else if (part < parts.length && matchesCharacter(parts[part] ?? "", characters[position] ?? ""))
      [part, position] = [part + 1, position + 1];
    else if (star >= 0) [part, starPosition, position] = [star + 1, starPosition + 1, starPosition + 1];
    else return false;
  }
  return parts.slice(part).every((name) => name === "*");
}

function matchesCharacter(part: string, character: string) {
  if (part === "?") return true;
  if (part.startsWith("\\") && part.length > 1) return part.slice(1) === character;
  if (!part.startsWith("[") || part.length < 3) return part === character;
  const isNegated = /^\[[!^]/.test(part);
  const [...set] = part.slice(isNegated ? 2 : 1, -1);
  let isIn = false;
  for (let position = 0; position < set.length; position += 1) {
    const [from = "", dash, to] = set.slice(position, position + 3);
    const isRange = dash === "-" && to !== undefined;
    isIn ||= isRange ? from <= character && character <= to : from === character;
    if (isRange) position += 2;
  }
  return isIn !== isNegated;
}

/** The rules of the ignore files of a folder, of those below it and of those above it in its repository. */
export class Ignored {
  /** The rules of each folder that was read, by its path from the root; those above it have paths of dots. */
  #rules: Map<string, IgnoreRule[]> = new Map();
  /** How the root is called from each folder above it. */
  #above: [rules: IgnoreRule[], prefix: string[]][] = [];

  static async open(root: string) {
    const ignored = new Ignored();
    const names = [];
    for (let folder = resolve(root); dirname(folder) !== folder; folder = dirname(folder)) {
      if (folder !== resolve(root)) ignored.#above.unshift([await readIgnoreFiles(folder), [...names]]);
      if (existsSync(join(folder, ".git"))) return ignored;
      names.unshift(basename(folder));
    }
    // In no repository, what is above says nothing.
    ignored.#above = [];
    return ignored;
  }

  async read(root: string, inside: string) {
    const rules = await readIgnoreFiles(join(root, inside));
    if (rules.length > 0) this.#rules.set(inside, rules);
  }

  /** Tells whether a file or folder is left out, if the folder around it is not. */
  has(path: string, isFolder: boolean) {
    const names = path.split("/");
    const applied = [
      ...this.#above.map(([rules, prefix]) => ({ rules, segments: [...prefix, ...names] })),
      ...names.map((_, depth) => ({
        rules: this.#rules.get(names.slice(0, depth).join("/")) ?? [],
        segments: names.slice(depth),
      })),
    ];
    let isOut = false;
    for (const { rules, segments } of applied)
      for (const rule of rules)
        if (rule.isNegated === isOut && (isFolder || !rule.isFolder) && matchesPath(rule.names, segments))
          isOut = !rule.isNegated;
    return isOut;
  }

  /** Tells whether a file, or a folder that it is in, is left out. */
  coversPath(path: string) {
    const names = path.split("/");
    return names.some((_, depth) => this.has(names.slice(0, depth + 1).join("/"), depth < names.length - 1));
  }
}

async function readIgnoreFiles(folder: string): Promise<IgnoreRule[]> {
  const texts = IGNORE_FILES.map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0)));
  const rules = (await Promise.all(texts)).map((bytes) =>
    parseIgnoreRules(
      bytes
        .subarray(0, IGNORE_MAX_BYTES)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    ),
  );
  return rules.flat();
}
