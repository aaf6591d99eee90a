/** A certificate authority for the running test, and its certificate for 127.0.0.1. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type OwnAuthority = { caFile: string; key: Buffer; cert: Buffer };

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export function createAuthority(directory: string): OwnAuthority {
  const inDir = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
  const subject = (name: string) => ["-subj", `/CN=${name}`];
  openssl("req", "-x509", ...KEY, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", ...subject("Tests"));
  openssl("req", ...KEY, "-keyout", "host.key", "-out", "host.csr", ...subject("127.0.0.1"));
  writeFileSync(inDir("names"), "subjectAltName=IP:127.0.0.1\n");
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
  openssl("x509", "-req", "-in", "host.csr", ...signing, "-out", "host.pem", "-days", "2");
  return {
    caFile: inDir("ca.pem"),
    key: readFileSync(inDir("host.key")),
    cert: readFileSync(inDir("host.pem")),
  };
}
