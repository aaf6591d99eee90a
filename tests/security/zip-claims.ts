import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import AdmZip from "adm-zip";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { fromBuffer } from "yauzl";
import { checkFileName } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import type { Visitor } from "#tests/support/web.ts";
import type { Scene } from "./scene.ts";

const OWNER = "8100";

/** Names that an attacker would choose. Names that no file may have are dropped; a test asserts that some are. */
const HOSTILE = [
  "../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/etc/passwd",
  "C:\\evil.bat",
  "C:evil.bat",
  "\\\\server\\share",
  "..",
  ".",
  "a/../../b",
  "a\u0000.txt",
  "a\r\nb.txt",
  "...",
  ".. ",
  " ..",
  ". .",
  "~",
  "~root",
  "$HOME",
  "`id`.sh",
  "-rf",
  "--help",
  "*",
  "?.txt",
  "a|b",
  "con",
  "NUL.txt",
  "com1.log",
  "LPT9",
  "a:stream",
  "a.txt::$DATA",
  "trailing.",
  "trailing ",
  "manifest.json",
  "MANIFEST.JSON",
  "files",
  "A.txt",
  "a.txt",
  "a (2).txt",
  "\u0041\u030a.txt",
  "\u00c5.txt",
  "\u212b.txt",
  "\u202egnp.exe",
  "\u2066a\u2069.txt",
  "a\u200b.txt",
  "\uff0e\uff0e\uff0f\uff0e\uff0e\uff0fetc",
  "\u2024\u2024\u2044etc",
  "שלום 🙂.md",
  "x".repeat(200),
  "%2e%2e%2fpasswd",
  "&lt;script&gt;",
  "<script>alert(1)</script>",
  '"quoted".txt',
  "'; rm -rf '",
  ".gitignore",
];
// A name in another Unicode form is the same file.
const NAMES = [
  ...new Set(HOSTILE.filter((name) => !isRefusal(checkFileName(name))).map((name) => name.normalize("NFC"))),
];

async function byYauzl(bytes: Buffer): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const names: string[] = [];
  fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, zip) => {
    if (error) return reject(error);
    zip.on("entry", ({ fileName }: { fileName: string }) => {
      names.push(fileName);
      zip.readEntry();
    });
    zip.on("end", () => resolve(names)).on("error", reject);
    zip.readEntry();
  });
  return promise;
}

const LISTED =
  "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); z.testzip(); print(json.dumps(z.namelist()))";

/** Independent programs, none of which is ours. */
const READERS: Record<string, (bytes: Buffer) => Promise<string[]>> = {
  yauzl: byYauzl,
  fflate: async (bytes) => Object.keys(unzipSync(bytes)),
  "adm-zip": async (bytes) => new AdmZip(bytes).getEntries().map(({ entryName }) => entryName),
  "Python's zipfile": async (bytes) => {
    const path = join(await temporaryDirectory("zip"), "a.zip");
    writeFileSync(path, bytes);
    return JSON.parse(execFileSync("python3", ["-c", LISTED, path], { encoding: "utf8" }));
  },
};

const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Why an entry must not be unpacked, on any system. */
function findFaults(names: readonly string[]): string[] {
  const folded = names.map((name) => name.normalize("NFKC").toLowerCase());
  return names.flatMap((name, i) => {
    const parts = name.split("/");
    return [
      ...(/^[/\\]|^[a-z]:/i.test(name) ? ["is absolute"] : []),
      ...(parts.some((part) => part === ".." || part === "." || part === "") ? ["climbs"] : []),
      ...(/[<>:"|?*\\\p{Cc}]/u.test(name) ? ["has a character that some system forbids"] : []),
      ...(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name) ? ["has a character that nobody sees"] : []),
      ...(parts.some((part) => WINDOWS_DEVICE.test(part)) ? ["is a device"] : []),
      ...(parts.some((part) => /[. ]$/.test(part)) ? ["ends in what some system cuts off"] : []),
      ...(folded.indexOf(itemAt(folded, i)) !== i ? ["is there twice"] : []),
    ].map((fault) => `${JSON.stringify(name)} ${fault}`);
  });
}

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
const sent = (body: object) => ({ method: "POST", body: JSON.stringify(body) });

type SeededIds = { web: Scene["web"]; dana: Visitor; file_ids: string[] };

const ZIPS: Record<string, (services: SeededIds) => Promise<Buffer>> = {
  "of chosen files": async ({ dana, file_ids }) =>
    readBytes(await dana.ask("/api/files/create-zip", sent({ file_ids }))),
  "of a link": async ({ web, dana, file_ids }) => {
    const created = await dana.ask("/api/files/create-share-link", sent({ file_ids }));
    const { pathname } = new URL((await created.json()).share_url);
    return readBytes(await web.visitor().ask(`${pathname}/zip`));
  },
  "of the whole library": async ({ dana }) => readBytes(await dana.ask("/settings/export/zip")),
};

export function zipClaims({ web }: Scene): void {
  let services: SeededIds;
  beforeAll(async () => {
    services = { web, dana: await web.visitor().logIn(OWNER), file_ids: [] };
    for (const name of NAMES) services.file_ids.push((await web.given.file(OWNER, name)).id);
  });

  describe("a zip", () => {
    it("is asked for with names that try everything", () => {
      expect(NAMES.length).toBeGreaterThan(40);
      expect(HOSTILE.length - NAMES.length).toBeGreaterThan(8);
      expect(findFaults(NAMES).length).toBeGreaterThan(15);
    });

    it.each(Object.entries(ZIPS))(
      "%s has names that are safe anywhere, and the same to every reader",
      async (_, make) => {
        const bytes = await make(services);
        const read = await Promise.all(Object.values(READERS).map((reader) => reader(bytes)));
        const [first] = read;
        expect(required(first).length).toBeGreaterThanOrEqual(NAMES.length);
        for (const [i, reader] of Object.keys(READERS).entries()) expect(read[i], reader).toEqual(first);
        expect(findFaults(required(first))).toEqual([]);
      },
    );
  });
}
