/**
 * MongoDB's wire protocol: OP_MSG both ways, and the legacy OP_QUERY with its OP_REPLY, which drivers use for
 * their very first hello only. A frame that breaks a rule throws FrameError: its connection is closed.
 */

import { decode, documentSize, encode, MAX_COMMAND_BYTES, scanElements } from "./values/bson.ts";
import { EngineError } from "./values/errors.ts";
import { present } from "./values/present.ts";
import type { Doc, Value } from "./values/values.ts";

export const MAX_MESSAGE_BYTES = 48_000_000;
const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS = 0xffff;

export class FrameError extends Error {}

export interface Message {
  requestId: number;
  legacy: boolean;
  /** The client waits for no answer. */
  silent: boolean;
  fields: Doc;
  /** Why the command cannot be read although its frame is sound: it is answered with this. */
  refusal: EngineError | undefined;
  /** Documents to be stored as they came, undecoded (`insert`). */
  documents: Buffer[] | undefined;
}

/** Cuts a stream of bytes into frames, each whole, none above `limit()`. */
export async function* splitFrames(
  chunks: AsyncIterable<Buffer>,
  limit: () => number,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    while (length >= 4) {
      if (present(parts[0]).length < 4) parts = [Buffer.concat(parts)];
      const size = present(parts[0]).readInt32LE(0);
      if (size < HEADER_BYTES || size > limit()) throw new FrameError(`message length ${size} out of bounds`);
      if (length < size) break;
      const joined = parts.length === 1 ? present(parts[0]) : Buffer.concat(parts, length);
      yield joined.subarray(0, size);
      parts = joined.length > size ? [joined.subarray(size)] : [];
      length = joined.length - size;
    }
  }
}

export function parseMessage(frame: Buffer): Message {
  const requestId = frame.readInt32LE(4);
  const opcode = frame.readInt32LE(12);
  try {
    if (opcode === OP_MSG) return parseMsg(frame, requestId);
    if (opcode === OP_QUERY) return parseQuery(frame, requestId);
  } catch (error) {
    if (error instanceof EngineError || error instanceof RangeError) throw new FrameError(error.message);
    throw error;
  }
  throw new FrameError(`opcode ${opcode} is not spoken here`);
}

function parseMsg(frame: Buffer, requestId: number): Message {
  const flags = frame.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0)
    throw new FrameError("unknown required flag");
  const end = frame.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let offset = HEADER_BYTES + 4;
  while (offset < end) {
    const kind = frame[offset];
    if (kind === 0) {
      const size = documentSize(frame, offset + 1, end);
      if (body || size > MAX_COMMAND_BYTES) throw new FrameError("more than one body, or one too large");
      body = frame.subarray(offset + 1, offset + 1 + size);
      offset += 1 + size;
    } else if (kind === 1) {
      const sectionEnd = offset + 1 + frame.readInt32LE(offset + 1);
      const nameEnd = frame.indexOf(0, offset + 5);
      if (sectionEnd > end || nameEnd < 0 || nameEnd >= sectionEnd)
        throw new FrameError("document sequence out of bounds");
      sequences.set(
        frame.toString("utf8", offset + 5, nameEnd),
        splitDocuments(frame, nameEnd + 1, sectionEnd),
      );
      offset = sectionEnd;
    } else throw new FrameError(`unknown section kind ${kind}`);
  }
  if (!body) throw new FrameError("message without a body");
  return {
    requestId,
    legacy: false,
    silent: (flags & MORE_TO_COME) !== 0,
    ...readOrRefuse(() => readCommand(body, sequences)),
  };
}

function splitDocuments(frame: Buffer, from: number, end: number): Buffer[] {
  const documents: Buffer[] = [];
  for (let offset = from; offset < end; ) {
    const size = documentSize(frame, offset, end);
    documents.push(frame.subarray(offset, offset + size));
    offset += size;
  }
  return documents;
}

type Command = Pick<Message, "fields" | "documents" | "refusal">;

/** Turns too deep nesting and unsupported types into a refusal. Bytes that are no BSON throw. */
function readOrRefuse(read: () => Command): Command {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError) || error.codeName === "InvalidBSON") throw error;
    return { fields: new Map(), documents: undefined, refusal: error };
  }
}

/** The command's fields; an insert's documents are cut out undecoded, from wherever they stand. */
function readCommand(body: Buffer, sequences: Map<string, Buffer[]>): Command {
  const all = [...scanElements(body)];
  if (all[0]?.name !== "insert") {
    const fields = decode(body);
    for (const [name, documents] of sequences)
      fields.set(
        name,
        documents.map((document): Value => decode(document)),
      );
    return { fields, documents: undefined, refusal: undefined };
  }
  const inline = all.find(({ name, type }) => name === "documents" && type === 4);
  const documents = inline
    ? [...scanElements(body, inline.valueStart)].map((item) => {
        if (item.type !== 3) throw new FrameError("documents to insert must be documents");
        return body.subarray(item.valueStart, item.end);
      })
    : sequences.get("documents");
  const wanted = new Set(all.map(({ name }) => name).filter((name) => name !== "documents"));
  return { fields: decode(body, 0, wanted), documents, refusal: undefined };
}

function parseQuery(frame: Buffer, requestId: number): Message {
  const nameEnd = frame.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0) throw new FrameError("unterminated namespace");
  const namespace = frame.toString("utf8", HEADER_BYTES + 4, nameEnd);
  if (!namespace.endsWith(".$cmd")) throw new FrameError("legacy queries serve commands only");
  const fields = decode(frame, nameEnd + 9);
  fields.set("$db", namespace.slice(0, -".$cmd".length));
  return { requestId, legacy: true, silent: false, fields, documents: undefined, refusal: undefined };
}

export function buildReply(message: Message, responseId: number, reply: Doc): Buffer {
  const body = encode(reply);
  const preamble = Buffer.alloc(message.legacy ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  preamble.writeInt32LE(preamble.length + body.length, 0);
  preamble.writeInt32LE(responseId, 4);
  preamble.writeInt32LE(message.requestId, 8);
  preamble.writeInt32LE(message.legacy ? OP_REPLY : OP_MSG, 12);
  if (message.legacy) {
    preamble.writeInt32LE(8, 16);
    preamble.writeInt32LE(1, 32);
  }
  return Buffer.concat([preamble, body]);
}
