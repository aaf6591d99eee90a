/** The server's side of SCRAM-SHA-256 (RFC 7677) for one user, whose password is random hexadecimal. */

import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";
import { fail } from "./values/errors.ts";
import { present } from "./values/present.ts";

const ITERATIONS = 15_000;

export interface ScramAccount {
  user: string;
  salt: Buffer;
  storedKey: Buffer;
  serverKey: Buffer;
}

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

export function createAccount(user: string, password: string): ScramAccount {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest();
  return { user, salt, storedKey, serverKey: hmac(salted, "Server Key") };
}

function parseAttributes(text: string): Map<string, string> {
  return new Map(text.split(",").map((part) => [part.slice(0, 1), part.slice(2)]));
}

function refuse(): never {
  fail(18, "Authentication failed.");
}

/** One conversation: `start` answers the client's first message, `finish` its proof. */
export class ScramConversation {
  readonly #account: ScramAccount;
  #clientFirst = "";
  #serverFirst = "";
  #nonce = "";

  constructor(account: ScramAccount) {
    this.#account = account;
  }

  start(payload: string): string {
    const match = /^n,,(n=[^,]*,r=[^,]+)$/.exec(payload);
    if (!match) refuse();
    this.#clientFirst = present(match[1]);
    const fields = parseAttributes(present(match[1]));
    if (fields.get("n") !== this.#account.user) refuse();
    this.#nonce = fields.get("r") + randomBytes(24).toString("base64");
    this.#serverFirst = `r=${this.#nonce},s=${this.#account.salt.toString("base64")},i=${ITERATIONS}`;
    return this.#serverFirst;
  }

  finish(payload: string): string {
    const fields = parseAttributes(payload);
    const proof = Buffer.from(fields.get("p") ?? "", "base64");
    if (!this.#nonce || fields.get("r") !== this.#nonce || fields.get("c") !== "biws" || proof.length !== 32)
      refuse();
    const withoutProof = payload.slice(0, payload.lastIndexOf(",p="));
    const text = `${this.#clientFirst},${this.#serverFirst},${withoutProof}`;
    const signature = hmac(this.#account.storedKey, text);
    const clientKey = Buffer.from(proof.map((byte, i) => byte ^ (signature[i] ?? 0)));
    const storedKey = createHash("sha256").update(clientKey).digest();
    if (!timingSafeEqual(storedKey, this.#account.storedKey)) refuse();
    return `v=${hmac(this.#account.serverKey, text).toString("base64")}`;
  }
}
