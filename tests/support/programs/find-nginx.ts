/**
 * nginx, a proxy that people put in front. As root it is installed before the tests where it is missing, unless it would then serve on
 * this machine; without it its test is left out.
 */
import { existsSync } from "node:fs";
import { installByApt } from "#tests/support/programs/install-by-apt.ts";

const NGINX = "/usr/sbin/nginx";
/** Container images have it: it keeps a package from starting its service. */
const KEEPS_SERVICES_OFF = "/usr/sbin/policy-rc.d";

export function findNginx(): string | undefined {
  return existsSync(NGINX) ? NGINX : undefined;
}

export function installNginx(): string | undefined {
  if (!findNginx() && existsSync(KEEPS_SERVICES_OFF)) installByApt("nginx-light");
  return findNginx();
}
