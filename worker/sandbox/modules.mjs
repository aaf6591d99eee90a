/**
 * The files beside a JavaScript or TypeScript program, as modules. Whatever can be reached from the program is compiled before it
 * runs, because nothing inside the isolate may call this process. What does not compile fails where it is loaded.
 */
import { posix } from "node:path";
import { stripTypes } from "./typescript.mjs";

/** What V8 says of a script that has to be a module. */
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
  const compiled = new Map();
  const paths = new Map();
  const defined = new Set();

  /** A file without its types, and which line of it each line came from. */
  function readSource(path) {
    if (!sources.has(path)) {
      const text = texts.get(path).replace(/^\ufeff/, "");
      const isTyped = path === program.name ? program.isTyped : TYPED.test(path);
      sources.set(path, isTyped ? stripTypes(text, path) : { code: text, line: null });
    }
    return sources.get(path);
  }

  /** The file that a name means, seen from another file; a name in JavaScript may mean a file in TypeScript. */
  function findPath(specifier, from) {
    if (!/^\.{0,2}\//.test(specifier) && !/^\.{1,2}$/.test(specifier))
      throw notLoaded(specifier, NOT_HERE, from);
    const base = specifier.startsWith("/") ? "." : posix.dirname(from);
    const place = posix.normalize(posix.join(base, specifier)).replace(/\/$/, "");
    const written = place.replace(/\.([cm]?)js$/, ".$1ts");
    const found = [...ENDINGS.map((ending) => place + ending), written].find((path) => texts.has(path));
    if (found === undefined) throw notLoaded(specifier, NOT_A_FILE, from);
    return found;
  }

  function notLoaded(specifier, why, from) {
    return placed(new Error(`Cannot load '${specifier}': ${why}`), specifier, from);
  }

  /** The error, said to be where a file names another. */
  function placed(error, specifier, from) {
    const { code } = readSource(from);
    const at =
      [`"${specifier}"`, `'${specifier}'`].map((name) => code.indexOf(name)).find((i) => i >= 0) ?? 0;
    const before = code.slice(0, at).split("\n");
    error.stack = `${error.name}: ${error.message}\n    at ${from}:${before.length}:${before.at(-1).length + 1}`;
    return error;
  }

  /** As a script that makes a function of the file. Null where only a module can have this text. */
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

  /** Tells the isolate of a file that can be required, and of all that it requires. */
  function defineFile(path) {
    if (defined.has(path)) return;
    defined.add(path);
    try {
      if (path.endsWith(".json")) return tell(path, { json: readJson(path) });
      const script = compileFunction(path);
      if (script === null) return tell(path, { failure: ["Error", `Cannot load '${path}': ${IS_A_MODULE}`] });
      const make = script.runSync(context, { reference: true });
      tell(path, { imports: defineRequired(path) }, make.derefInto());
    } catch (error) {
      tell(path, { failure: [error.name, firstLine(withOwnLines(error))] });
    }
  }

  /** What each name that a file requires means: a path, or why there is none. */
  function defineRequired(path) {
    const imports = [];
    for (const [, , specifier] of readSource(path).code.matchAll(REQUIRED)) {
      try {
        const found = findPath(specifier, path);
        defineFile(found);
        imports.push([specifier, found, null]);
      } catch (error) {
        imports.push([specifier, null, error.message]);
      }
    }
    return imports;
  }

  const tell = (path, told, make = null) => define.applySync(undefined, [path, JSON.stringify(told), make]);

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

  /** A module that hands on what `require` gives, by the names that can be read off the text. */
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
    compiled.set(path, module);
    paths.set(module, path);
    if (!isScript) for (const name of module.dependencySpecifiers) loadModule(findPath(name, path));
    return module;
  }

  const loadModule = (path) => compiled.get(path) ?? compileModule(path);

  /** The lines of TypeScript's own text, where its types were not merely left blank. */
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
    /** The program's text, and all that it requires told to the isolate. */
    prepareScript() {
      const { code } = readSource(program.name);
      tell(program.name, { imports: defineRequired(program.name) });
      return code;
    },
    /** The program as a module, linked with all that it imports. */
    linkProgram() {
      const module = loadModule(program.name);
      try {
        module.instantiateSync(context, (name, referrer) => loadModule(findPath(name, paths.get(referrer))));
        return module;
      } catch (error) {
        const [, specifier] = NOT_EXPORTED.exec(error.message) ?? [];
        const from = [...compiled].find(([, { dependencySpecifiers }]) =>
          dependencySpecifiers.includes(specifier),
        );
        throw from ? placed(error, specifier, from[0]) : error;
      }
    },
  };
}

/** The names that a file written for `require` exports, as far as they can be read off its text. */
function listExports(code) {
  const single = [...code.matchAll(EXPORTED)].map(([, name]) => name);
  const last = [...code.matchAll(EXPORTED_TOGETHER)].at(-1);
  const together = last ? listKeys(code, last.index + last[0].length) : [];
  return [...new Set([...single, ...together])].filter((name) => !RESERVED.has(name));
}

/** The keys of an object whose text begins here. */
function listKeys(code, from) {
  const keys = [];
  let depth = 1;
  let isKeyNext = true;
  for (let at = from; depth > 0 && at < code.length; at++) {
    if (isKeyNext) {
      KEY.lastIndex = at;
      const [whole = "", name] = KEY.exec(code) ?? [];
      if (name) keys.push(name);
      at += whole.length;
    }
    const character = code[at];
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
