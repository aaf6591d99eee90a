import { isObject } from "#domain/typed-keys.ts";

/** Messages over a pipe: four bytes of length, then JSON. Messages from a child are untrusted until checked. */
const HEAD_BYTES = 4;
const FRAME_MAX_BYTES = 256 * 1024;
// Both outputs at their limits, in base64 with their frames.
const TOTAL_MAX_BYTES = 1024 * 1024;

export function toFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Returns a function that takes chunks. It throws at the first byte beyond the limit and for anything but an object. */
export function frameReader(receive: (message: Record<string, unknown>) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0);
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    if (total > TOTAL_MAX_BYTES) throw new Error("The child says too much");
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEAD_BYTES) {
      const length = pending.readUInt32BE(0);
      if (length > FRAME_MAX_BYTES) throw new Error("The child's message is too long");
      if (pending.length < HEAD_BYTES + length) return;
      const message: unknown = JSON.parse(pending.toString("utf8", HEAD_BYTES, HEAD_BYTES + length));
      pending = pending.subarray(HEAD_BYTES + length);
      if (!isObject(message)) throw new Error("The child's message is no object");
      receive(message);
    }
  };
}
