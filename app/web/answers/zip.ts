import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

/**
 * Writes a zip archive with only one entry in memory, and the directory of all entries at the end. Names are UTF-8, sizes come before the
 * content. Beyond 4 GiB or 65,535 entries the directory uses zip64; no entry is that large.
 */
export type ZipEntry = { name: string; content: Uint8Array; modifiedAt: Date };

const deflate = promisify(deflateRaw);

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const WIDE_VERSION = 45;
const WIDE_FIELD = 1;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

const WORTH_PACKING_BYTES = 64;

type Field = [bytes: 2 | 4 | 8, value: number];

function encodeFields(fields: Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((length, [bytes]) => length + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of fields)
    offset =
      bytes === 8 ? buffer.writeBigUInt64LE(BigInt(value), offset) : buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}

/** Encodes a time as the zip format has it: in steps of two seconds, from 1980 on. */
function toDosFields(moment: Date): Field[] {
  const year = Math.max(moment.getUTCFullYear() - 1980, 0);
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return [
    [2, time],
    [2, date],
  ];
}

export function toZipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  const parts = encodeZip(entries);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await parts.return(undefined)),
  });
}

export async function* encodeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content, modifiedAt } of entries) {
    const packed = content.byteLength < WORTH_PACKING_BYTES ? content : await deflate(content);
    const isSmaller = packed.byteLength < content.byteLength;
    const data = isSmaller ? packed : content;
    const nameBytes = Buffer.from(name);
    const needsWideOffset = offset >= MAX_32;
    const commonFields: Field[] = [
      [2, VERSION],
      [2, UTF8_NAMES],
      [2, isSmaller ? DEFLATED : STORED],
      ...toDosFields(modifiedAt),
      [4, crc32(content)],
      [4, data.byteLength],
      [4, content.byteLength],
      [2, nameBytes.byteLength],
    ];
    const local = Buffer.concat([encodeFields([[4, LOCAL_HEADER], ...commonFields, [2, 0]]), nameBytes]);
    const unused: Field[] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
    ];
    const wideField: Field[] = needsWideOffset
      ? [
          [2, WIDE_FIELD],
          [2, 8],
          [8, offset],
        ]
      : [];
    const extra = encodeFields(wideField);
    const directoryFields: Field[] = [
      [4, DIRECTORY_HEADER],
      [2, VERSION],
      ...commonFields,
      [2, extra.byteLength],
      ...unused,
      [4, Math.min(offset, MAX_32)],
    ];
    directory.push(Buffer.concat([encodeFields(directoryFields), nameBytes, extra]));
    yield local;
    yield data;
    offset += local.byteLength + data.byteLength;
  }
  const index = Buffer.concat(directory);
  const count = directory.length;
  yield index;
  if (count >= MAX_16 || offset + index.byteLength >= MAX_32)
    yield writeWideEnd(count, index.byteLength, offset);
  yield encodeFields([
    [4, DIRECTORY_END],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(index.byteLength, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0],
  ]);
}

function writeWideEnd(count: number, indexBytes: number, indexOffset: number): Buffer {
  const end: Field[] = [
    [4, WIDE_END],
    [8, 44],
    [2, WIDE_VERSION],
    [2, WIDE_VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, indexBytes],
    [8, indexOffset],
  ];
  const locator: Field[] = [
    [4, WIDE_LOCATOR],
    [4, 0],
    [8, indexOffset + indexBytes],
    [4, 1],
  ];
  return encodeFields([...end, ...locator]);
}
