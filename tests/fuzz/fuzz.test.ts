import { expect, it } from "vitest";
import { MAKERS } from "#tests/authorisation/belongings.ts";
import { createDavClient } from "#tests/support/dav/dav-client.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";
import { davRequests } from "./dav-requests.ts";
import { requests } from "./requests.ts";
import { shoot } from "./shoot.ts";

const web = await openTestWeb({ CODE_QUEUE_WAIT_SECONDS: "1" });
const COUNT = isFullRun ? 1_500 : 300;
const DAV_COUNT = isFullRun ? 400 : 100;
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115);

const readCookies = (visitor: Visitor) =>
  [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

it(`${COUNT} requests as nobody should send them are all answered, and none by a fault (seed ${SEED})`, async () => {
  const owner = await web.visitor().logIn("4001");
  const admin = await web.visitor().logIn(ADMIN_ID);
  const tokens = [];
  for (const make of Object.values(MAKERS)) tokens.push(await make(owner, web));

  const all = requests(SEED, COUNT, Object.assign({}, ...tokens));
  const cookies = [readCookies(owner), readCookies(admin), ""];
  expect(await shoot(all, { url: web.url, cookies, patienceMs: 60_000 })).toEqual([]);
}, 240_000);

it("requests as no WebDAV client should send them are all answered, and none by a fault", async () => {
  const { token } = await createDavClient(web, "4005", "write");
  const all = davRequests(SEED, DAV_COUNT, token);
  expect(await shoot(all, { url: web.url, cookies: [""], patienceMs: 60_000 })).toEqual([]);
}, 120_000);
