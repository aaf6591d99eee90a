import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSecretFile, SECRET_FILE } from "#domain/files/secret-file.ts";

describe("a file that may hold secrets", () => {
  it.each([".env", "app/.env", ".env.local", ".ENV", "tls/server.pem", "id_rsa", "id_ed25519.old", ".netrc"])(
    "is %s",
    (path) => {
      expect(isSecretFile(path)).toBe(true);
    },
  );

  it.each([".env.example", "env", "id_rsa.pub", "keys.py", ".env/readme.md", "environment.ts"])(
    "is not %s",
    (path) => {
      expect(isSecretFile(path)).toBe(false);
    },
  );

  it("is the same for the command line", () => {
    const source = readFileSync(new URL("../../../public/codeshelf.mjs", import.meta.url), "utf8");
    expect(source).toContain(`const SECRET_FILE =\n  ${SECRET_FILE};`);
  });
});
