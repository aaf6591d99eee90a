/**
 * nginx, a common proxy. Root installs it before the tests if it is missing, unless it would then serve on this machine; without it its
 * test is skipped.
 */
import { existsSync } from "node:fs";
import { installByApt } from "#tests/support/programs/install-by-apt.ts";

const NGINX = "/usr/sbin/nginx";
/** Container images have this file: it keeps a package from starting its service. */
const KEEPS_SERVICES_OFF = "/usr/sbin/policy-rc.d";

export function findNginx(): string | undefined {
  return existsSync(NGINX) ? NGINX : undefined;
}

export function installNginx(): string | undefined {
  if (!findNginx() && existsSync(KEEPS_SERVICES_OFF)) installByApt("nginx-light");
  return findNginx();
}
