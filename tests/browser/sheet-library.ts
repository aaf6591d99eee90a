/** What the contact sheet shows beyond the library in the pictures: files of every view, a repository, ended shares, a fault. */
import { ObjectId } from "mongodb";
import type { BrowserContext } from "playwright";
import { connectMongo } from "#db/client.ts";
import type { Product } from "#tests/support/product/product.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { makeNotedRepo } from "./noted-repo.ts";
import type { Library } from "./seeded-library.ts";

export const REPO_NAME = "dana/tools";

const CELLS = [
  { cell_type: "markdown", source: ["# Totals\n", "The sum of ten numbers."] },
  {
    cell_type: "code",
    source: ["total = sum(range(10))\n", "total"],
    outputs: [{ output_type: "execute_result", data: { "text/plain": ["45"] } }],
  },
];
const BOXES = '<rect width="120" height="80" fill="teal"/><circle cx="160" cy="80" r="40" fill="gold"/>';
const HTML = `<h1>A page</h1><p>Words in a <em>frame</em>, and a list:</p><ul><li>one</li><li>two</li></ul>`;
const MINIFIED = Array.from({ length: 40 }, (_, n) => `function f${n}(a,b){return a*${n}+b}`).join(";");

const VIEWED = {
  "page.html": HTML,
  "boxes.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="140">${BOXES}</svg>\n`,
  "package.json":
    '{"name":"tools","private":true,"scripts":{"test":"vitest run"},"tags":["a",1,null,true]}\n',
  "notebook.ipynb": `${JSON.stringify({ cells: CELLS, nbformat: 4, nbformat_minor: 5 })}\n`,
  "stock.csv": `item,מחיר,count,supplier,remark\n${"paper A4,12.50,1200,Noa & Sons,arrives on Mondays\nעט כחול,3.00,40,דנה,אזל\n".repeat(9)}`,
  "vendor.min.js": `${MINIFIED}\n`,
  "hidden-direction.py": 'role = "user\u202e"  # \u2066only admins\u2069\n',
  "conflict.txt": "one\ntwo\nthree\n",
};

export type SheetLibrary = Library & {
  viewed(name: keyof typeof VIEWED): string;
  /** Shares that nobody, or only who knows the password, can open. */
  ended: string;
  locked: string;
  /** A note for texts that collide. */
  contested: string;
  /** The address of a server that has no time for anybody. */
  busy: string;
};

export async function fillSheetLibrary(
  { request }: BrowserContext,
  library: Library,
  remote: GitRemote,
): Promise<Omit<SheetLibrary, "busy">> {
  const ids = new Map<string, string>();
  const put = async (name: string, data: string) =>
    (await (await request.put(`/api/files/${name}`, { data })).json()).file_id as string;
  for (const [name, text] of Object.entries(VIEWED)) ids.set(name, await put(name, text));
  await put("conflict.txt", "one\nTWO of theirs\nthree\n");
  const onConflict = `/api/sticky-notes/${ids.get("conflict.txt")}`;
  const contested = await (await request.post(onConflict, { data: { content: "- [ ] at first" } })).json();
  const share = async (data: object) =>
    (await (await request.post(`/api/share/${library.markdown}`, { data })).json()).share_id as string;
  const ended = await share({});
  await request.delete(`/api/shares/${ended}`);
  await makeNotedRepo(request, remote, REPO_NAME, {
    "docs/guide.md": "# Guide\n\nHow the tools are used.\n",
    "logo.png": Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    "src/a/rather/long/path/to/one/single/module_with_a_long_name.py": "x = 1\n",
  });
  return {
    ...library,
    viewed: (name) => ids.get(name)!,
    ended,
    contested: contested.id,
    locked: await share({ password: "open sesame", max_views: 9 }),
  };
}

/** Makes a file such as no version of the product wrote: pages that show it meet a fault. */
export async function breakFile(product: Product, id: string): Promise<void> {
  const mongo = await connectMongo(await product.findStoreUri(), { appName: "codeshelf-sheet" });
  try {
    await mongo.collections.files.updateOne(
      { _id: new ObjectId(id) },
      { $set: { updated_at: "never" as never } },
    );
  } finally {
    await mongo.close();
  }
}
