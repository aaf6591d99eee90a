import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

/**
 * A zip archive as it is made: one entry in memory at a time, and at the end the directory of all. Names are UTF-8, sizes stand
 * before the content; below 4 GiB and 65,536 entries, which a selection of files never reaches.
 */
export type ZipEntry = { name: string; content: Uint8Array; modifiedAt: Date };

const deflate = promisify(deflateRaw);

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;

type Field = [bytes: 2 | 4, value: number];

function record(fields: Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((length, [bytes]) => length + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** Two seconds is the finest the format knows, and 1980 its beginning. */
function dosMoment(moment: Date): Field[] {
  const year = Math.max(moment.getUTCFullYear() - 1980, 0);
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return [
    [2, time],
    [2, date],
  ];
}

export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content, modifiedAt } of entries) {
    const packed = await deflate(content);
    const smaller = packed.byteLength < content.byteLength;
    const data = smaller ? packed : content;
    const nameBytes = Buffer.from(name);
    const described: Field[] = [
      [2, VERSION],
      [2, UTF8_NAMES],
      [2, smaller ? DEFLATED : STORED],
      ...dosMoment(modifiedAt),
      [4, crc32(content)],
      [4, data.byteLength],
      [4, content.byteLength],
      [2, nameBytes.byteLength],
      [2, 0],
    ];
    const local = Buffer.concat([record([[4, LOCAL_HEADER], ...described]), nameBytes]);
    const unused: Field[] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
    ];
    const listed: Field[] = [[4, DIRECTORY_HEADER], [2, VERSION], ...described, ...unused, [4, offset]];
    directory.push(record(listed), nameBytes);
    yield local;
    yield data;
    offset += local.byteLength + data.byteLength;
  }
  const index = Buffer.concat(directory);
  const count = directory.length / 2;
  yield index;
  yield record([
    [4, DIRECTORY_END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, index.byteLength],
    [4, offset],
    [2, 0],
  ]);
}
