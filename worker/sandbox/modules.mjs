/**
 * The files beside a JavaScript or TypeScript program, as modules. Everything reachable from the program is compiled before it
 * runs, because code inside the isolate must not call this process. A file that does not compile fails when it is loaded.
 */
import { posix } from "node:path";
import { stripTypes } from "./typescript.mjs";

/** V8's messages about a script that must be a module. */
const IS_MODULE =
  /Cannot use import statement|Unexpected token 'export'|Cannot use 'import\.meta'|await is only valid/;
const TYPED = /\.[cm]?ts$/;
const ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
const REQUIRED = /\brequire\s*\(\s*(["'`])([^"'`\n]{1,400})\1\s*\)/g;
const EXPORTED = /\bexports\.([A-Za-z_$][\w$]*)\s*=[^=]/g;
const EXPORTED_TOGETHER = /\bmodule\.exports\s*=\s*\{/g;
const KEY = /\s*(?:async\s+)?([A-Za-z_$][\w$]*)\s*(?=[:,}(])/y;
const NOT_EXPORTED = /^The requested module '(.{1,400})' does not provide an export/;
const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for function if
  implements import in instanceof interface let new null package private protected public return static super switch this throw
  true try typeof var void while with yield arguments eval`.split(/\s+/),
);
const OPENING = "(function (exports, require, module, __filename, __dirname) {";
const NOT_HERE = "it is not available here; see the list at Tools";
const NOT_A_FILE = "there is no such file in this folder";
const IS_A_MODULE = "it is a module; load it with import";

export const isModuleError = (error) => error?.name === "SyntaxError" && IS_MODULE.test(error.message);

export function createModules({ isolate, context, define, program, files }) {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  texts.set(program.name, program.text);
  const sources = new Map();
  const modulesByPath = new Map();
  const paths = new Map();
  const definedPaths = new Set();

  /** Returns a file without types, and the source line of each of its lines. */
  function readSource(path) {
    if (!sources.has(path)) {
      const text = texts.get(path).replace(/^\ufeff/, "");
      const isTyped = path === program.name ? program.isTyped : TYPED.test(path);
      sources.set(path, isTyped ? stripTypes(text, path) : { code: text, line: null });
    }
    return sources.get(path);
  }

  /** Resolves a name in a file to a file. A JavaScript name may mean a TypeScript file. */
  function findPath(specifier, from) {
    if (!/^\.{0,2}\//.test(specifier) && !/^\.{1,2}$/.test(specifier))
      throw toLoadError(specifier, NOT_HERE, from);
    const base = specifier.startsWith("/") ? "." : posix.dirname(from);
    const path = posix.normalize(posix.join(base, specifier)).replace(/\/$/, "");
    const typedPath = path.replace(/\.([cm]?)js$/, ".$1ts");
    const match = [...ENDINGS.map((ending) => path + ending), typedPath].find((path) => texts.has(path));
    if (match === undefined) throw toLoadError(specifier, NOT_A_FILE, from);
    return match;
  }

  function toLoadError(specifier, why, from) {
    return addPosition(new Error(`Cannot load '${specifier}': ${why}`), specifier, from);
  }

  /** Adds the position of the import to the error's stack. */
  function addPosition(error, specifier, from) {
    const { code } = readSource(from);
    const index =
      [`"${specifier}"`, `'${specifier}'`].map((name) => code.indexOf(name)).find((i) => i >= 0) ?? 0;
    const before = code.slice(0, index).split("\n");
    error.stack = `${error.name}: ${error.message}\n    at ${from}:${before.length}:${before.at(-1).length + 1}`;
    return error;
  }

  /** Compiles a file as a script that creates its function. Returns null if it must be a module. */
  function compileFunction(path) {
    if (/\.m[jt]s$/.test(path)) return null;
    try {
      return isolate.compileScriptSync(`${OPENING}${readSource(path).code}\n})`, {
        filename: path,
        columnOffset: -OPENING.length,
      });
    } catch (error) {
      if (isModuleError(error)) return null;
      throw error;
    }
  }

  /** Passes a file that can be required, and everything that it requires, to the isolate. */
  function defineFile(path) {
    if (definedPaths.has(path)) return;
    definedPaths.add(path);
    try {
      if (path.endsWith(".json")) return send(path, { json: readJson(path) });
      const script = compileFunction(path);
      if (script === null) return send(path, { failure: ["Error", `Cannot load '${path}': ${IS_A_MODULE}`] });
      const factory = script.runSync(context, { reference: true });
      send(path, { imports: defineRequired(path) }, factory.derefInto());
    } catch (error) {
      send(path, { failure: [error.name, firstLine(withOwnLines(error))] });
    }
  }

  /** Maps each required name to a path or to the reason why there is none. */
  function defineRequired(path) {
    const imports = [];
    for (const [, , specifier] of readSource(path).code.matchAll(REQUIRED)) {
      try {
        const resolvedPath = findPath(specifier, path);
        defineFile(resolvedPath);
        imports.push([specifier, resolvedPath, null]);
      } catch (error) {
        imports.push([specifier, null, error.message]);
      }
    }
    return imports;
  }

  const send = (path, details, factory = null) =>
    define.applySync(undefined, [path, JSON.stringify(details), factory]);

  function readJson(path) {
    const text = texts.get(path).replace(/^\ufeff/, "");
    try {
      JSON.parse(text);
      return text;
    } catch ({ message }) {
      const [, line = 1, column = 1] = /line (\d+) column (\d+)/.exec(message) ?? [];
      const error = new SyntaxError(message);
      error.stack = `SyntaxError: ${message} [${path}:${line}:${column}]`;
      throw error;
    }
  }

  /** Writes a module that exports the result of `require`, by the names that can be found in the text. */
  function writeBridge(path) {
    defineFile(path);
    const names = path.endsWith(".json") ? [] : listExports(readSource(path).code);
    return [
      `const loaded = require(${JSON.stringify(`./${path}`)});`,
      "export default loaded;",
      ...names.map((name, i) => `const value${i} = loaded.${name}; export { value${i} as ${name} };`),
    ].join(" ");
  }

  function compileModule(path) {
    const isScript = path !== program.name && (path.endsWith(".json") || compileFunction(path) !== null);
    if (path.endsWith(".json")) readJson(path);
    const code = isScript ? writeBridge(path) : readSource(path).code;
    const module = isolate.compileModuleSync(code, { filename: isScript ? "file:///bridge.js" : path });
    modulesByPath.set(path, module);
    paths.set(module, path);
    if (!isScript) for (const name of module.dependencySpecifiers) loadModule(findPath(name, path));
    return module;
  }

  const loadModule = (path) => modulesByPath.get(path) ?? compileModule(path);

  /** Replaces lines in an error's stack by the lines of the TypeScript source, unless types were only blanked. */
  function withOwnLines(error) {
    if (typeof error?.stack !== "string") return error;
    for (const [path, { line }] of sources)
      if (line)
        error.stack = error.stack.replaceAll(
          new RegExp(`(?<=[ ([])${RegExp.escape(path)}:(\\d+)`, "g"),
          (_, number) => `${path}:${line(Number(number))}`,
        );
    return error;
  }

  return {
    withOwnLines,
    /** Returns the program's text after passing everything that it requires to the isolate. */
    prepareScript() {
      const { code } = readSource(program.name);
      send(program.name, { imports: defineRequired(program.name) });
      return code;
    },
    /** Returns the program as a module linked with all its imports. */
    linkProgram() {
      const module = loadModule(program.name);
      try {
        module.instantiateSync(context, (name, referrer) => loadModule(findPath(name, paths.get(referrer))));
        return module;
      } catch (error) {
        const [, specifier] = NOT_EXPORTED.exec(error.message) ?? [];
        const from = [...modulesByPath].find(([, { dependencySpecifiers }]) =>
          dependencySpecifiers.includes(specifier),
        );
        throw from ? addPosition(error, specifier, from[0]) : error;
      }
    },
  };
}

/** Finds the names that a file written for `require` exports, as far as its text shows them. */
function listExports(code) {
  const single = [...code.matchAll(EXPORTED)].map(([, name]) => name);
  const last = [...code.matchAll(EXPORTED_TOGETHER)].at(-1);
  const together = last ? listKeys(code, last.index + last[0].length) : [];
  return [...new Set([...single, ...together])].filter((name) => !RESERVED.has(name));
}

/** Lists the keys of an object literal whose text begins at the index. */
function listKeys(code, from) {
  const keys = [];
  let depth = 1;
  let isKeyNext = true;
  for (let index = from; depth > 0 && index < code.length; index++) {
    if (isKeyNext) {
      KEY.lastIndex = index;
      const [match = "", name] = KEY.exec(code) ?? [];
      if (name) keys.push(name);
      index += match.length;
    }
    const character = code[index];
    if ("{[(".includes(character)) depth += 1;
    if ("}])".includes(character)) depth -= 1;
    isKeyNext = depth === 1 && character === ",";
  }
  return keys;
}

const firstLine = ({ message, stack }) => {
  const [head] = String(stack ?? message).split("\n");
  return head.replace(/^\w*Error: /, "");
};
