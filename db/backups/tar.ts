import { BackupError } from "./backup-error.ts";

/** Headers of the tar format (ustar), so that every tar can open a backup. */
export const TAR_BLOCK = 512;
const LARGEST_OCTAL = 0o77777777777;
const CHECKSUM = { from: 148, to: 156 };

type TarHeader = { name: string; size: number };

export function toTarHeader({ name, size }: TarHeader, moment: Date): Buffer {
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0, 100, "utf8");
  header.write("0000600\0", 100, "ascii");
  header.write("0000000\0".repeat(2), 108, "ascii");
  writeSize(header, size);
  header.write(`${toOctal(Math.floor(moment.getTime() / 1_000), 11)}\0`, 136, "ascii");
  header.fill(" ", CHECKSUM.from, CHECKSUM.to);
  header.write("0", 156, "ascii");
  header.write("ustar\x0000", 257, "ascii");
  header.write(`${toOctal(sumBytes(header), 6)}\0 `, CHECKSUM.from, "ascii");
  return header;
}

export function parseTarHeader(header: Buffer): TarHeader | null {
  if (header.every((byte) => byte === 0)) return null;
  const stored = Number.parseInt(header.toString("ascii", CHECKSUM.from, CHECKSUM.to), 8);
  const blanked = Buffer.from(header).fill(" ", CHECKSUM.from, CHECKSUM.to);
  if (stored !== sumBytes(blanked)) throw new BackupError("The backup is damaged: a header does not add up.");
  const name = header.toString("utf8", 0, 100);
  return { name: name.slice(0, name.indexOf("\0")), size: parseSize(header) };
}

export const tarPadding = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;

/** Sizes of 8 GiB and more are binary with the highest bit set, as in GNU tar. */
function writeSize(header: Buffer, size: number): void {
  if (size <= LARGEST_OCTAL) header.write(`${toOctal(size, 11)}\0`, 124, "ascii");
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
}

function parseSize(header: Buffer): number {
  return header.readUInt8(124) & 0x80
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(header.toString("ascii", 124, 136), 8);
}

const toOctal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");

const sumBytes = (bytes: Buffer) => bytes.reduce((sum, byte) => sum + byte, 0);
