import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs a program of Debian as root and returns its path. A fresh machine's package lists are empty or old: they are fetched if the
 * first attempt fails.
 */
export function installByApt(name: string): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words: string[]) => spawnSync("apt-get", words, { stdio: "inherit", env }).status === 0;
  const install = () => apt("install", "-y", "--no-install-recommends", name);
  return install() || (apt("update") && install()) ? debianProgram(name) : undefined;
}

export const debianProgram = (name: string) => `/usr/bin/${name}`;
