/**
 * Builds `build/`: the server code that renders pages, and the files for browsers. Pages are not hydrated, so browsers get the behaviours
 * of `entry.client.tsx` and the linked styles, and no routes. The output is a server build like that of Remix's own tool.
 */
import { createHash } from "node:crypto";
import { chmod, cp, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { required } from "#domain/required.ts";
import { FUTURE_FLAGS } from "./future-flags.js";
import { listRouteFiles } from "./route-files.ts";

type Mode = "production" | "development";
type BundleOptions = { root: string; directory: string; mode?: Mode };
type ClientEntry = { module: string; imports: string[] };

/** The browsers that Vite targets by default. */
const BROWSERS = ["es2020", "edge88", "firefox78", "chrome87", "safari14"];

const CLIENT_ENTRY = "app/entry.client.tsx";

const ASSET_FILES = {
  bundle: true,
  minify: true,
  metafile: true,
  target: BROWSERS,
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  logLevel: "silent",
} satisfies BuildOptions;

export async function bundleApp(options: BundleOptions): Promise<void> {
  await rm(options.directory, { recursive: true, force: true });
  const entry = await bundleClient(options);
  await cp(join(options.root, "public"), join(options.directory, "client"), { recursive: true });
  await bundleServer(options, entry);
  await bundleCommandLine(options);
}

/** One file that runs on any Node from 20 on, without packages. */
async function bundleCommandLine({ root, directory }: BundleOptions): Promise<void> {
  const outfile = join(directory, "client", "codeshelf.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["./app/command-line/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    charset: "utf8",
    logLevel: "silent",
    plugins: [leavePackages],
  });
  await chmod(outfile, 0o755);
}

async function bundleClient({ root, directory, mode = "production" }: BundleOptions): Promise<ClientEntry> {
  const outdir = join(directory, "client");
  const { metafile } = await build({
    ...ASSET_FILES,
    absWorkingDir: root,
    entryPoints: [CLIENT_ENTRY],
    outdir,
    format: "esm",
    splitting: true,
    // Links created by script would need the page's nonce; development modules are left out.
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    plugins: [refuseServerCode, keepTogether],
  });
  const toAddress = (path: string) => `/${relative(outdir, join(root, path))}`;
  const path = required(
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.inputs[CLIENT_ENTRY]),
    "output of the client's entry",
  );
  return { module: toAddress(path), imports: listStaticImports(path, metafile.outputs).map(toAddress) };
}

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

/** The files that a browser has to load before an output can start, transitively. */
function listStaticImports(path: string, outputs: Outputs, files = new Set<string>()): string[] {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== "import-statement" || files.has(imported)) continue;
    files.add(imported);
    listStaticImports(imported, outputs, files);
  }
  return [...files];
}

/**
 * Makes modules that are loaded later import the entry, which is loaded by then. All modules of the entry then have the same importers and
 * become one file; otherwise each module shared with a later one would be a file of its own, however small.
 */
const keepTogether: Plugin = {
  name: "keep-together",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]app[\\/]enhance[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: `import "#${CLIENT_ENTRY}";${await readFile(path, "utf8")}`,
      loader: "ts",
    }));
  },
};

/** Fails the build if server code is imported for browsers. */
const refuseServerCode: Plugin = {
  name: "refuse-server-code",
  setup({ onResolve }) {
    onResolve({ filter: /\.server(\.tsx?)?$/ }, ({ path, importer }) => ({
      errors: [{ text: `${importer} brings ${path} into the browser.` }],
    }));
  },
};

async function bundleServer(
  { root, directory, mode = "production" }: BundleOptions,
  entry: ClientEntry,
): Promise<void> {
  await build({
    absWorkingDir: root,
    stdin: { contents: writeServerEntry(root, entry, mode), resolveDir: join(root, "app"), loader: "ts" },
    outfile: join(directory, "server", "index.js"),
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    logLevel: "silent",
    plugins: [leavePackages, loadTexts(root), linkStyles(root, join(directory, "client"))],
  });
}

/** Node loads packages itself; only our own code goes into the build. */
const leavePackages: Plugin = {
  name: "leave-packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path }) => ({ path, external: true }));
  },
};

function loadTexts(root: string): Plugin {
  return {
    name: "load-texts",
    setup(plugin) {
      plugin.onResolve({ filter: /^#app\/.*\?raw$/ }, ({ path }) => ({
        path: join(root, path.slice(1).replace(/\?raw$/, "")),
        namespace: "text",
      }));
      plugin.onLoad({ filter: /./, namespace: "text" }, async ({ path }) => ({
        contents: await readFile(path),
        loader: "text",
      }));
    },
  };
}

/** `style.css?url` is the address of a bundled style, named by its content; `style.css?inline` is its text. */
function linkStyles(root: string, outdir: string): Plugin {
  const bundleStyle = async (file: string, write: boolean) => {
    const entryPoints = [file];
    const { metafile, outputFiles } = await build({
      ...ASSET_FILES,
      absWorkingDir: root,
      entryPoints,
      outdir,
      write,
    });
    const output = required(Object.keys(metafile.outputs)[0], `output of ${file}`);
    return outputFiles?.[0]?.text ?? `/${relative(outdir, join(root, output))}`;
  };
  return {
    name: "link-styles",
    setup(plugin) {
      plugin.onResolve({ filter: /^#app\/.*\.css\?(url|inline)$/ }, ({ path }) => {
        const [file = "", use] = path.slice(1).split("?");
        return { path: join(root, file), suffix: `?${use}`, namespace: "style" };
      });
      plugin.onLoad({ filter: /./, namespace: "style" }, async ({ path, suffix }) => ({
        contents: await bundleStyle(path, suffix === "?url"),
        loader: "text",
      }));
    },
  };
}

function writeServerEntry(root: string, entry: ClientEntry, mode: Mode): string {
  const routes = [
    { id: "root", parentId: undefined, file: "root.tsx", path: "", index: undefined },
    ...listRouteFiles(join(root, "app")).map((route) => ({ ...route, parentId: "root" })),
  ];
  const version = createHash("sha256").update(entry.module).digest("hex").slice(0, 8);
  return `
import * as entryServer from "./entry.server.tsx";
${routes.map(({ file }, i) => `import * as route${i} from ${JSON.stringify(`./${file}`)};`).join("\n")}
export const routes = Object.fromEntries([
${routes.map(({ file: _, ...route }, i) => `{ ...${JSON.stringify(route)}, module: route${i} }`).join(",\n")}
].map((route) => [route.id, route]));
const describe = ({ module, ...route }) => [route.id, {
  ...route,
  hasAction: "action" in module, hasLoader: "loader" in module, hasErrorBoundary: "ErrorBoundary" in module,
  hasClientAction: false, hasClientLoader: false, module: "", imports: [],
}];
export const assets = {
  entry: ${JSON.stringify(entry)}, url: "", version: "${version}",
  routes: Object.fromEntries(Object.values(routes).map(describe)),
};
export const entry = { module: entryServer };
export const mode = "${mode}";
export const basename = "/";
export const publicPath = "/";
export const isSpaMode = false;
export const assetsBuildDirectory = "build/client";
export const future = ${JSON.stringify(FUTURE_FLAGS)};
`;
}
