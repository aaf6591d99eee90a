import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/**
 * The test files of the module's own room that import it, directly or not. Only the fast tests of domain/ try its rules; a room without
 * such tests uses all tests that reach the module.
 */
export function listRelatedTests(root: string, path: string): string[] {
  const imports = new Map<string, string[]>();
  const readImports = (file: string): string[] => {
    const resolved = imports.get(file) ?? resolveImports(root, file);
    imports.set(file, resolved);
    return resolved;
  };
  const reaches = (test: string): boolean => {
    const visited = new Set([test]);
    for (const file of visited) for (const next of readImports(file)) visited.add(next);
    return visited.has(path);
  };
  const [room] = path.split("/");
  const own = listTests(root, `tests/${room}`).filter(reaches);
  return own.length > 0 || room === "domain" ? own : listTests(root, "tests").filter(reaches);
}

function listTests(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function resolveImports(root: string, file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), "utf8"), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => /^[#.].*\.tsx?$/.test(name))
    .map((name) => (name.startsWith("#") ? name.slice(1) : normalize(join(dirname(file), name))))
    .filter((name) => existsSync(join(root, name)));
}
