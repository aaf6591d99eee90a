import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSecretFile, SECRET_FILE } from "#domain/files/secret-file.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

describe("a file that may hold secrets", () => {
  it.each(".env app/.env .env.local .ENV tls/server.pem id_rsa id_ed25519.old .netrc".split(" "))(
    "is %s",
    (path) => {
      expect(isSecretFile(path)).toBe(true);
    },
  );

  it.each([
    ...[".env (2)", ".env copy", ".env ", ".env.\u2028", "tls.pem (2)", "tls copy.pem", "a.key - Copy"],
    ...".env~ .env_prod .env.local.bak .env.example~ .envrc server.key.bak tls.pem.old a.key.1~".split(" "),
    ...["_netrc", ".netrc.bak"],
  ])("is a copy: %s", (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each(
    [
      "api.key.ts key.md .environment .envoy.yaml a.pem.md .netrc.py",
      ".env.example env id_rsa.pub keys.py .env/readme.md environment.ts",
    ].flatMap((names) => names.split(" ")),
  )("is not %s", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });

  it("is told from a name of any kind at once", async () => {
    const names = ["a.key.1".padEnd(255, ".1"), `${".key".repeat(63)}x`, `.env${" copy".repeat(50)}`];
    const ms = await ownProcessorMs(() => {
      for (let n = 0; n < 500; n += 1) for (const name of names) isSecretFile(name + n);
    });
    expect(ms).toBeLessThan(1_000);
  });

  it("is the same for the command line", () => {
    const source = readFileSync(new URL("../../../public/codeshelf.mjs", import.meta.url), "utf8");
    expect(source).toContain(`const SECRET_FILE =\n  ${SECRET_FILE};`);
  });
});
