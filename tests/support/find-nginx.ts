/** nginx, a proxy that people put in front. As root it is installed before the tests where it is missing; without it its test is left out. */
import { existsSync } from "node:fs";
import { installByApt } from "#tests/support/install-by-apt.ts";

const NGINX = "/usr/sbin/nginx";

export function findNginx(): string | undefined {
  return existsSync(NGINX) ? NGINX : undefined;
}

export function installNginx(): string | undefined {
  if (!findNginx()) installByApt("nginx-light");
  return findNginx();
}
