import { parseJsonOrNull } from "#domain/parse-json.ts";
import { baseName, getParent } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";
import { toFields } from "#domain/typed-keys.ts";

/** Analyses a repository from its files and newest commits only; none of its code is run. */
export type AnalysedFile = { path: string; size: number; language: string; kind: string };

export const SUGGESTIONS = [
  "add_readme",
  "add_licence",
  "add_tests",
  "add_ci",
  "add_ignore_file",
  "lock_dependencies",
  "keep_large_files_out",
  "split_large_files",
  "remove_secrets",
] as const;
export type Suggestion = (typeof SUGGESTIONS)[number];

type Dependencies = { path: string; kind: string; names: string[]; count: number };

export type RepoAnalysis = {
  files: number;
  bytes: number;
  languages: { language: string; files: number; bytes: number }[];
  biggest: { path: string; size: number }[];
  most_changed: { path: string; commits: number }[];
  commits: number;
  readme: string | null;
  licence: { path: string; name: string | null } | null;
  dependencies: Dependencies[];
  tests: number;
  ci: string[];
  suggestions: Suggestion[];
};

const LISTED_MAX = 10;
const DEPENDENCIES_MAX = 200;
const MANIFESTS_MAX = 20;
const SPLIT_BYTES = 200 * 1024;
const LARGE_BYTES = 5 * 1024 * 1024;
const SPLITTABLE = new Set(["json", "csv", "text", "svg", "markdown", "xml", "html", "yaml"]);

const README = /^readme(\.\w+)?$/i;
const LICENCE = /^(licen[cs]e|copying)([.-][\w.-]+)?$/i;
const IGNORE_FILE = ".gitignore";
const TEST = /(^|\/)(tests?|spec|__tests__)\/|[._-](test|spec)\.\w+$|(^|\/)test_\w+\.py$|_test\.(go|py|rb)$/i;
const CI =
  /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|Jenkinsfile|\.drone\.yml|bitbucket-pipelines\.yml)$/;
const SECRET = /(^|\/)(\.env(\.(local|production))?|id_(rsa|ed25519)|[^/]+\.(pem|p12|pfx))$/;

const LICENCES: readonly (readonly [RegExp, string])[] = [
  [/\bMIT License\b|Permission is hereby granted, free of charge/i, "MIT"],
  [/Apache License\s+Version 2\.0/i, "Apache-2.0"],
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, "AGPL-3.0"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, "LGPL-3.0"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, "GPL-3.0"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, "GPL-2.0"],
  [/Mozilla Public License,? (Version )?2\.0/i, "MPL-2.0"],
  [/Redistribution and use in source and binary forms[\s\S]+Neither the name/i, "BSD-3-Clause"],
  [/Redistribution and use in source and binary forms/i, "BSD-2-Clause"],
  [/Permission to use, copy, modify, and\/or distribute/i, "ISC"],
  [/This is free and unencumbered software/i, "Unlicense"],
];

type Manifest = { kind: string; locks: readonly string[]; read(text: string): string[] };

const matchLines = (pattern: RegExp) => (text: string) =>
  text.split("\n").flatMap((line) => pattern.exec(line)?.[1] ?? []);

/** Files that list dependencies: how to read the names, and the lock files that pin them. */
const MANIFESTS: Record<string, Manifest> = {
  "package.json": {
    kind: "npm",
    locks: ["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json", "bun.lock"],
    read: readNpmNames,
  },
  "requirements.txt": { kind: "pip", locks: [], read: matchLines(/^\s*([A-Za-z0-9][\w.-]*)/) },
  "pyproject.toml": { kind: "python", locks: ["poetry.lock", "uv.lock", "pdm.lock"], read: readPythonNames },
  "Cargo.toml": {
    kind: "cargo",
    locks: ["Cargo.lock"],
    read: createTomlSectionReader(/^\[(dev-|build-)?dependencies\]/),
  },
  "go.mod": {
    kind: "go",
    locks: ["go.sum"],
    read: matchLines(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+)\s+v\d/),
  },
  Gemfile: { kind: "bundler", locks: ["Gemfile.lock"], read: matchLines(/^\s*gem\s+["']([^"']+)["']/) },
  "composer.json": { kind: "composer", locks: ["composer.lock"], read: readComposerNames },
  "pom.xml": { kind: "maven", locks: [], read: matchLines(/<artifactId>([^<]+)<\/artifactId>/) },
  "build.gradle": { kind: "gradle", locks: [], read: matchLines(/implementation\s*\(?["']([^"']+)["']/) },
};

const findManifest = (path: string): Manifest | undefined =>
  Object.hasOwn(MANIFESTS, baseName(path)) ? MANIFESTS[baseName(path)] : undefined;

/** Decides by its path if an analysis reads a text. */
export function isReadByAnalysis(path: string): boolean {
  return findManifest(path) !== undefined || (getParent(path) === "" && LICENCE.test(path));
}

type RepoContents = {
  files: readonly AnalysedFile[];
  /** The texts that `isReadByAnalysis` selects. */
  texts: ReadonlyMap<string, string>;
  /** The changed paths of each of the newest commits. */
  commits: readonly (readonly string[])[];
};

export function analyseRepo({ files, texts, commits }: RepoContents): RepoAnalysis {
  const rootPaths = files.filter(({ path }) => getParent(path) === "").map(({ path }) => path);
  const licence = rootPaths.find((path) => LICENCE.test(path));
  const facts = {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    languages: countLanguages(files),
    biggest: [...files]
      .sort((a, b) => b.size - a.size)
      .slice(0, LISTED_MAX)
      .map(({ path, size }) => ({ path, size })),
    most_changed: listMostChanged(files, commits),
    commits: commits.length,
    readme: rootPaths.find((path) => README.test(path)) ?? null,
    licence: licence ? { path: licence, name: recogniseLicence(texts.get(licence) ?? "") } : null,
    dependencies: readDependencies(texts),
    tests: files.filter(({ path }) => TEST.test(path)).length,
    ci: files.filter(({ path }) => CI.test(path)).map(({ path }) => path),
  };
  return { ...facts, suggestions: chooseSuggestions(facts, files) };
}

function countLanguages(files: readonly AnalysedFile[]): RepoAnalysis["languages"] {
  const sums = new Map<string, { language: string; files: number; bytes: number }>();
  for (const { language, size, kind } of files) {
    if (kind !== "text" && kind !== "large") continue;
    const sum = sums.get(language) ?? { language, files: 0, bytes: 0 };
    sums.set(language, { language, files: sum.files + 1, bytes: sum.bytes + size });
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1));
}

/** Lists only files that still exist. */
function listMostChanged(
  files: readonly AnalysedFile[],
  commits: RepoContents["commits"],
): RepoAnalysis["most_changed"] {
  const existingPaths = new Set(files.map(({ path }) => path));
  const counts = new Map<string, number>();
  for (const paths of commits)
    for (const path of paths) if (existingPaths.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts]
    .map(([path, commitCount]) => ({ path, commits: commitCount }))
    .sort((a, b) => b.commits - a.commits || (a.path < b.path ? -1 : 1))
    .slice(0, LISTED_MAX);
}

const recogniseLicence = (text: string) => LICENCES.find(([pattern]) => pattern.test(text))?.[1] ?? null;

function readDependencies(texts: ReadonlyMap<string, string>): Dependencies[] {
  return [...texts]
    .filter(([path]) => findManifest(path) !== undefined)
    .sort(([a], [b]) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
    .slice(0, MANIFESTS_MAX)
    .map(([path, text]) => {
      const { kind, read } = required(findManifest(path), "manifest of that name");
      const names = [...new Set(read(text))];
      return { path, kind, names: names.slice(0, DEPENDENCIES_MAX), count: names.length };
    });
}

type RepoFacts = Omit<RepoAnalysis, "suggestions">;

/** The condition of each suggestion. */
const RULES: Record<Suggestion, (facts: RepoFacts, files: readonly AnalysedFile[]) => boolean> = {
  add_readme: ({ readme }) => readme === null,
  add_licence: ({ licence }) => licence === null,
  add_tests: ({ tests }) => tests === 0,
  add_ci: ({ ci }) => ci.length === 0,
  add_ignore_file: (_, files) => !files.some(({ path }) => path === IGNORE_FILE),
  lock_dependencies: ({ dependencies }, files) => dependencies.some((each) => isUnlocked(each, files)),
  keep_large_files_out: (_, files) => files.some(({ size }) => size > LARGE_BYTES),
  split_large_files: (_, files) =>
    files.some(
      ({ kind, size, language }) => kind === "text" && size > SPLIT_BYTES && !SPLITTABLE.has(language),
    ),
  remove_secrets: (_, files) => files.some(({ path }) => SECRET.test(path)),
};

function isUnlocked({ path, count }: Dependencies, files: readonly AnalysedFile[]): boolean {
  const { locks } = required(findManifest(path), "manifest of that name");
  const toSibling = (lock: string) => (getParent(path) === "" ? lock : `${getParent(path)}/${lock}`);
  const paths = new Set(files.map((file) => file.path));
  return (
    count > 0 && locks.length > 0 && !locks.some((lock) => paths.has(toSibling(lock)) || paths.has(lock))
  );
}

function chooseSuggestions(facts: RepoFacts, files: readonly AnalysedFile[]): Suggestion[] {
  return files.length === 0 ? [] : SUGGESTIONS.filter((suggestion) => RULES[suggestion](facts, files));
}

function readJsonKeys(text: string, fields: readonly string[]): string[] {
  const parsed = toFields(parseJsonOrNull(text));
  return fields.flatMap((field) => Object.keys(toFields(parsed[field])));
}

function readNpmNames(text: string): string[] {
  return readJsonKeys(text, ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]);
}

function readComposerNames(text: string): string[] {
  return readJsonKeys(text, ["require", "require-dev"]);
}

function createTomlSectionReader(head: RegExp): (text: string) => string[] {
  return (text) => {
    let isInSection = false;
    return text.split("\n").flatMap((line) => {
      if (line.startsWith("[")) isInSection = head.test(line);
      const name = /^([\w-]+)\s*=/.exec(line)?.[1];
      return isInSection && name ? [name] : [];
    });
  };
}

function readPythonNames(text: string): string[] {
  const dependencyList = /^dependencies\s*=\s*\[([\s\S]*?)\]/m.exec(text)?.[1] ?? "";
  const quoted = [...dependencyList.matchAll(/["']\s*([A-Za-z0-9][\w.-]*)/g)].map(([, name = ""]) => name);
  const poetryNames = createTomlSectionReader(/^\[tool\.poetry\.(dev-)?dependencies\]/)(text);
  return [...quoted, ...poetryNames.filter((name) => name !== "python")];
}
