import { describe } from "vitest";
import { cookieClaims } from "./cookie-claims.ts";
import { crossSiteClaims } from "./cross-site-claims.ts";
import { errorBodyClaims } from "./error-body-claims.ts";
import { headerClaims } from "./header-claims.ts";
import { injectionClaims } from "./injection-claims.ts";
import { nextPageClaims } from "./next-page-claims.ts";
import { outboundClaims, vapid } from "./outbound-claims.ts";
import { setScene } from "./scene.ts";
import { zipClaims } from "./zip-claims.ts";

// One file, so that the web process starts once.
const scene = await setScene({ VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: vapid.privateKey });

describe("headers", () => headerClaims(scene));
describe("cookies", () => cookieClaims(scene));
describe("other sites", () => crossSiteClaims(scene));
describe("next pages", () => nextPageClaims(scene));
describe("addresses to go out to", () => outboundClaims(scene));
describe("names in headers and paths", () => injectionClaims(scene));
describe("names in zips", () => zipClaims(scene));
describe("bodies of errors", () => errorBodyClaims(scene));
