/** A device with passkeys, written independently of the product's checks: ES256 keys, counted uses, and answers as browsers send them. */

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((part) => encode(part))]);
  return Buffer.concat([head(2, value.length), value]);
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest();
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

type Changes = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number; fmt?: string };
type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };

export class SoftPasskey {
  readonly id = toText(randomBytes(16));
  #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  #userHandle = "";
  readonly origin: string;
  counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  #clientData(type: string, challenge: string, origin = this.origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, { isVerified = true, counter = this.counter }: Changes, isNew: boolean) {
    const flags = 1 | (isVerified ? 4 : 0) | (isNew ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  create(options: CreationOptions, changes: Changes = {}): string {
    this.#userHandle = options.user.id;
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const key = new Map<number, Cbor>([
      ...[[1, 2] as const, [3, -7] as const, [-1, 1] as const],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
    const id = Buffer.from(this.id, "base64url");
    const authData = Buffer.concat([
      this.#authenticatorData(changes.rpId ?? options.rp.id, changes, true),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      encode(key),
    ]);
    const object = new Map<string, Cbor>([
      ["fmt", changes.fmt ?? "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return this.#answer({
      clientDataJSON: toText(this.#clientData("webauthn.create", options.challenge, changes.origin)),
      attestationObject: toText(encode(object)),
      transports: ["internal"],
    });
  }

  get({ challenge, rpId }: RequestOptions, changes: Changes & { userHandle?: string } = {}): string {
    this.counter += 1;
    const authData = this.#authenticatorData(changes.rpId ?? rpId, changes, false);
    const clientData = this.#clientData("webauthn.get", challenge, changes.origin);
    const signature = createSign("sha256")
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#key.privateKey);
    return this.#answer({
      clientDataJSON: toText(clientData),
      authenticatorData: toText(authData),
      signature: toText(signature),
      userHandle: changes.userHandle ?? this.#userHandle,
    });
  }

  #answer(response: Record<string, unknown>): string {
    const { id } = this;
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }
}
