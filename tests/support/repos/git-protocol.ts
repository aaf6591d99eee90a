/** A server of git's protocol, version 2, with answers that git's own server would not give. */
import { execFileSync } from "node:child_process";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { serve } from "#tests/support/serve.ts";

const FLUSH = Buffer.from("0000");
const DELIMITER = Buffer.from("0001");
const PACK_CHANNEL = Buffer.from([1]);
const LINE_MAX = 60_000;

function line(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

const ADVERTISED = Buffer.concat([
  line("# service=git-upload-pack\n"),
  FLUSH,
  ...["version 2\n", "ls-refs\n", "fetch\n", "object-format=sha1\n"].map(line),
  FLUSH,
]);

/** `packfileUris` are addresses of further packs, which git did not request. */
export async function serveProtocol(
  remote: GitRemote,
  { packfileUris }: { packfileUris: readonly string[] },
): Promise<string> {
  const head = remote.git("rev-parse", "refs/heads/main");
  const refs = [line(`${head} HEAD symref-target:refs/heads/main\n`), line(`${head} refs/heads/main\n`)];
  const pack = packRemote(remote);
  const uris = packfileUris.map((uri) => line(`${"a".repeat(40)} ${uri}\n`));
  const fetched = [
    ...(uris.length > 0 ? [line("packfile-uris\n"), ...uris, DELIMITER] : []),
    line("packfile\n"),
    ...splitPack(pack).map((part) => line(Buffer.concat([PACK_CHANNEL, part]))),
  ];
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asksRefs = Buffer.concat(chunks).includes("command=ls-refs");
    const kind = request.method === "GET" ? "advertisement" : "result";
    response.setHeader("Content-Type", `application/x-git-upload-pack-${kind}`);
    if (request.method === "GET") response.end(ADVERTISED);
    else response.end(Buffer.concat([...(asksRefs ? refs : fetched), FLUSH]));
  });
  return `${url}/dana/tools`;
}

const packRemote = ({ directory }: GitRemote) =>
  execFileSync("git", ["pack-objects", "--all", "--stdout", "--quiet"], { cwd: directory, input: "" });

const splitPack = (pack: Buffer) =>
  Array.from({ length: Math.ceil(pack.length / LINE_MAX) }, (_, i) =>
    pack.subarray(i * LINE_MAX, (i + 1) * LINE_MAX),
  );
