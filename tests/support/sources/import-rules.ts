/**
 * Rules for imports between rooms. A room is a folder; a longer name is a room inside another. Files of a room import each other by relative
 * paths and leave it only by package imports (`#room/…`), so that every arrow is listed here.
 */

import { posix } from "node:path";
import ts from "typescript";
import { required } from "#domain/required.ts";
import enginePackage from "../../../db/engine/package.json" with { type: "json" };

type Rule = {
  /** The rooms it may import, besides itself. */
  rooms: readonly string[];
  /** The npm packages it may import; null means all but the drivers. */
  packages: readonly string[] | null;
  /** Whether it may import Node's modules, and so runs on a server only. */
  builtins: boolean;
};

const DRIVERS = ["mongodb", "bson", "pg", "pg-boss"] as const;

export const ARROWS: Record<string, Rule> = {
  domain: { rooms: [], packages: ["zod", "temporal-polyfill"], builtins: false },
  platform: { rooms: [], packages: null, builtins: true },
  db: { rooms: ["domain", "platform"], packages: null, builtins: true },
  "db/engine": { rooms: [], packages: [], builtins: true },
  "db/engine/tests": { rooms: [], packages: Object.keys(enginePackage.devDependencies), builtins: true },
  app: { rooms: ["domain", "platform", "db"], packages: null, builtins: true },
  "app/command-line": { rooms: ["domain"], packages: [], builtins: true },
  worker: { rooms: ["domain", "platform", "db"], packages: null, builtins: true },
};

const DRIVER_ROOM = "db";

/**
 * Lists each cycle of files that import each other, directly or not. Imports of types count: such files can only be read together.
 * Tarjan's algorithm, strongly connected components.
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const imports = new Map([...sources].map(([path, source]) => [path, listImported(path, source, sources)]));
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const number = numbers.size;
    numbers.set(path, number);
    open.push(path);
    let low = number;
    for (const next of imports.get(path) ?? []) {
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, numbers.get(next) ?? low);
    }
    if (low < number) return low;
    const members = open.splice(open.indexOf(path));
    if (members.length > 1 || imports.get(path)?.includes(path)) circles.push(members.sort());
    return low;
  };
  for (const path of sources.keys()) if (!numbers.has(path)) visit(path);
  return circles;
}

function listImported(path: string, source: string, sources: ReadonlyMap<string, string>): string[] {
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => toPath(path, fileName))
    .filter((target) => sources.has(target));
}

/** The path of what a file imports; the name of a package stays. */
export function toPath(path: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier.replace(/^#/, "");
}

/** Lists the forbidden imports of one file, a sentence each. */
export function wrongImports(path: string, source: string): string[] {
  const room = findRoom(path);
  if (!room) return [];
  const { importedFiles } = ts.preProcessFile(source, true, true);
  return importedFiles
    .map(({ fileName }) => [fileName, complaint(path, room, fileName)] as const)
    .filter(([, wrong]) => wrong !== null)
    .map(([specifier, wrong]) => `${path} imports ${specifier}: ${wrong}`);
}

/** A package of its own: it does not use even the project's names, and others import only its exports. */
const ENGINE = "db/engine";
const ENGINE_EXPORTS: readonly string[] = Object.values(enginePackage.exports);

function findRoom(path: string): string | undefined {
  return Object.keys(ARROWS)
    .filter((room) => path.startsWith(`${room}/`))
    .sort((left, right) => right.length - left.length)[0];
}

/** Lists a file's imports of the engine that bypass its exports. */
export function importsWithinEngine(path: string, source: string): string[] {
  if (path.startsWith(`${ENGINE}/`)) return [];
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => toPath(path, fileName))
    .filter((target) => target.startsWith(`${ENGINE}/`))
    .filter((target) => !ENGINE_EXPORTS.includes(target.replace(ENGINE, ".")))
    .map((target) => `${path} imports ${target}: ${ENGINE} does not export it`);
}

function complaint(path: string, room: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return ofRelative(path, room, specifier);
  if (specifier.startsWith("#")) return ofRoom(room, specifier.slice(1));
  if (specifier.startsWith("node:"))
    return required(ARROWS[room]).builtins ? null : `${room} runs in browsers too`;
  return ofPackage(room, toPackage(specifier));
}

function ofRelative(path: string, room: string, specifier: string): string | null {
  const target = findRoom(posix.join(posix.dirname(path), specifier));
  const isOwn = target === room || (room === `${ENGINE}/tests` && target === ENGINE);
  return isOwn ? null : `it leaves ${room} by a relative path`;
}

function ofRoom(room: string, target: string): string | null {
  const other = findRoom(target);
  if (other === undefined) return `${room} may not look into ${target.split("/")[0]}`;
  if (other === room && !room.startsWith(ENGINE)) return null;
  return required(ARROWS[room]).rooms.includes(other) ? null : `${room} may not look into ${other}`;
}

function ofPackage(room: string, name: string): string | null {
  const { packages } = required(ARROWS[room]);
  if (packages) return packages.includes(name) ? null : `${room} may not use the package ${name}`;
  const isDriver = (DRIVERS as readonly string[]).includes(name);
  return isDriver && room !== DRIVER_ROOM ? `only ${DRIVER_ROOM} uses the driver ${name}` : null;
}

function toPackage(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
