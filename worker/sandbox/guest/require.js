/** `require` for the files beside a program. Each was compiled before the program began and is identified by its path. */
globalThis.defineRequire = (name) => {
  const definitions = new Map();
  const loaded = new Map();
  function define(path, details, factory) {
    const { imports = [], json, failure } = JSON.parse(details);
    definitions.set(path, {
      factory,
      imports: new Map(imports.map((entry) => [entry[0], entry])),
      json,
      failure,
    });
  }
  function findRequired(from, specifier) {
    const [, path, why] = definitions.get(from)?.imports.get(specifier) ?? [];
    if (path !== undefined && path !== null) return path;
    // Used by modules that import a file written for `require`.
    if (specifier.startsWith("./") && definitions.has(specifier.slice(2))) return specifier.slice(2);
    throw new Error(why ?? `Cannot load '${specifier}': only a name that is written out can be loaded here`);
  }
  function load(path) {
    const module = { exports: {} };
    const { factory, json, failure } = definitions.get(path);
    if (failure) throw new (failure[0] === "SyntaxError" ? SyntaxError : Error)(failure[1]);
    loaded.set(path, module);
    if (json !== undefined) module.exports = JSON.parse(json);
    else {
      try {
        const folder = path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".";
        factory.call(module.exports, module.exports, createRequire(path), module, path, folder);
      } catch (error) {
        loaded.delete(path);
        throw error;
      }
    }
    return module;
  }
  const createRequire = (from) => (specifier) => {
    const path = findRequired(from, String(specifier));
    return (loaded.get(path) ?? load(path)).exports;
  };

  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  globalThis.require = createRequire(name);
  loaded.set(name, globalThis.module);
  return define;
};
