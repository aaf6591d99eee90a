/** Sources as sample files: the contents of a folder by fixed rules, so that the same folder gives the same library. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { detectLanguage } from "#domain/files/language.ts";
import type { SampleText } from "./sample-texts.ts";

const MIN_BYTES = 1_000;
const MAX_BYTES = 20_000;
/** Generated or private folders. */
const EXCLUDED = new Set([".git", ".cache", "build", "dist-types"]);

/**
 * Returns up to `max` texts of 1 to 20 KB in a known language, by path. The first file of a name keeps it, and the others get
 * their folder's name before it.
 */
export function readSourceTexts(folder: string, max: number): SampleText[] {
  const texts: SampleText[] = [];
  const usedNames = new Set<string>();
  for (const path of listFilePaths(folder)) {
    if (texts.length === max) break;
    const text = readText(path);
    if (!text) continue;
    const file_name = chooseName(path, usedNames);
    if (!file_name) continue;
    usedNames.add(file_name);
    texts.push({ ...text, file_name, description: "", tags: [], repo: null });
  }
  return texts;
}

function* listFilePaths(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) if (entry.isFile()) yield join(folder, entry.name);
  for (const entry of entries)
    if (entry.isDirectory() && !EXCLUDED.has(entry.name)) yield* listFilePaths(join(folder, entry.name));
}

function readText(path: string): Pick<SampleText, "language" | "body"> | null {
  const { size } = statSync(path);
  if (size < MIN_BYTES || size > MAX_BYTES) return null;
  const body = readFileSync(path, "utf8");
  if (body.includes("\0") || body.includes("\ufffd")) return null;
  const language = detectLanguage(basename(path), body);
  return language === "text" ? null : { language, body };
}

function chooseName(path: string, usedNames: ReadonlySet<string>): string | null {
  const [name, folder] = [basename(path), basename(dirname(path))];
  return (
    [name, `${folder}-${name}`, `${basename(dirname(dirname(path)))}-${folder}-${name}`].find(
      (candidate) => !usedNames.has(candidate),
    ) ?? null
  );
}
