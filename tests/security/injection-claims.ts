import { once } from "node:events";
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { checkFileName } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import type { Visitor } from "#tests/support/web.ts";
import type { Scene } from "./scene.ts";

const OWNER = "8200";

/** Texts that could begin a header, end one, or end its quotes. */
const BREAKING = ["a\r\nSet-Cookie: x=y", "a\nSet-Cookie: x=y", "a\r\n\r\n<script>", "a\u0000b", "a\u0085b"];
const QUOTING = [
  'a"; filename="evil.exe',
  "a\\",
  'a\\"b',
  "a;b=c",
  "a%0d%0aSet-Cookie: x=y",
  "a'b''c",
  "ünï 🙂 שלום.py",
  "\u202egnp.exe",
  "a,b",
  "a\u2028b",
  "=?utf-8?B?ZXZpbA==?=",
  "x".repeat(200),
];
const asName = (text: string) => encodeURIComponent(text);

const DISPOSITION = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/;

/** Sends the path unchanged, as no browser would. */
async function raw(url: string, path: string): Promise<{ status: number; body: string }> {
  const outgoing = request(url, { path, headers: { Connection: "close" } }).end();
  const [response] = await once(outgoing, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}

export function injectionClaims({ web }: Scene): void {
  let dana: Visitor;
  beforeAll(async () => {
    dana = await web.visitor().logIn(OWNER);
  });

  it.each(BREAKING)("%j, a name with a line end in it, is stored nowhere", async (name) => {
    const json = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
    const answers = await Promise.all([
      dana.ask(`/api/files/${asName(name)}`, { method: "PUT", body: "x" }),
      dana.submit("/upload", { file_name: name, text: "x" }),
      dana.ask("/api/repos", json({ url: "https://example.org/a/b.git", name: `a/${name}` })),
      dana.ask("/api/repos", json({ url: `https://example.org/a/${name}` })),
      dana.ask("/preferences", { method: "POST", body: new URLSearchParams({ timezone: name }) }),
    ]);
    for (const response of answers) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(response.headers.getSetCookie().join()).not.toContain("x=y");
    }
    expect(await web.db.files.countDocuments({ user_id: OWNER, file_name: name })).toBe(0);
  });

  describe("a name that a header repeats", () => {
    it.each(QUOTING.filter((name) => !isRefusal(checkFileName(name))))(
      "%s stays within its quotes, and is the same in both forms for every reader",
      async (name) => {
        const { id } = await web.given.file(OWNER, name);
        const share = await (await dana.ask(`/api/share/${id}`, { method: "POST", body: "{}" })).json();
        for (const path of [`/download/${id}`, `/share/${share.share_id}/download`]) {
          const response = await dana.ask(path);
          await response.arrayBuffer();
          expect(response.status, path).toBe(200);
          const [, plain, encoded] = required(
            DISPOSITION.exec(required(response.headers.get("Content-Disposition"))),
          );
          expect(plain).not.toMatch(/["\\%]/);
          expect(decodeURIComponent(required(encoded))).toBe(name.replace(/[\u202e\u2028]/g, ""));
          expect(response.headers.getSetCookie().join()).not.toContain("x=y");
        }
      },
    );

    it.each(drawCases("addresses led on to", [...BREAKING, ...QUOTING], 6))(
      "and an address that is led on to holds: %j",
      async (text) => {
        for (const path of [
          `/files?q=${asName(text)}&sort=${asName(text)}`,
          `/repos/${asName(text)}/file?path=${asName(text)}`,
          `/note/${asName(text)}`,
          `/login?next=/${asName(text)}`,
          `/go?to=${asName(text)}`,
        ]) {
          const response = await dana.page(path);
          await response.arrayBuffer();
          expect(response.headers.get("Location") ?? "/", path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
          expect(response.headers.getSetCookie().join(), path).not.toContain("x=y");
        }
      },
    );
  });

  describe("a path that climbs", () => {
    const UP = [
      ...["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "%252e%252e%252f", "..;/", "....//", ".%00./"],
    ];
    const ROOTS = ["/", "/assets/", "/icons/", "/sw/", "/fonts/", "/download/", "/share/", "/api/files/"];

    it.each(ROOTS)("from %s reaches no file of this machine", async (root) => {
      const ways = UP.flatMap((up) => ["package.json", "etc/passwd"].map((target) => up.repeat(4) + target));
      for (const way of drawCases(`ways up from ${root}`, ways, 6)) {
        const { status, body } = await raw(web.url, root + way);
        expect(status, way).toBeOneOf([302, 400, 401, 404, 405]);
        expect(body, way).not.toMatch(/root:x:|"devDependencies"/);
      }
    });
  });
}
