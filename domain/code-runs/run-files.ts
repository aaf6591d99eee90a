/** Limits of the files beside a program, and of the files that it writes. */
export const RUN_FILE_LIMITS = {
  maxFiles: 100,
  maxBytes: 1024 * 1024,
  maxWritten: 20,
  maxWrittenFileBytes: 64 * 1024,
  maxWrittenBytes: 256 * 1024,
} as const;

export type RunFile = { path: string; text: string };
/** `text` is null for a file that is too large or no text. */
export type WrittenFile = { path: string; size_bytes: number; text: string | null };

/** Chooses files in their order as long as they fit. */
export function chooseRunFiles<File extends { path: string; size_bytes: number }>(files: readonly File[]) {
  const chosen: File[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const fits =
      chosen.length < RUN_FILE_LIMITS.maxFiles && bytes + file.size_bytes <= RUN_FILE_LIMITS.maxBytes;
    if (fits) {
      chosen.push(file);
      bytes += file.size_bytes;
    } else leftOut.push(file.path);
  }
  return { chosen, leftOut };
}

const PATH_MAX_LENGTH = 400;

/** Parses a file reported by a sandbox process. Returns null for malformed reports and beyond the limit of files. */
export function parseWrittenFile(
  { file, size, base64 }: Record<string, unknown>,
  earlierFiles: readonly WrittenFile[],
): WrittenFile | null {
  if (typeof file !== "string" || file === "" || file.length > PATH_MAX_LENGTH) return null;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return null;
  const { maxWritten, maxWrittenFileBytes, maxWrittenBytes } = RUN_FILE_LIMITS;
  if (earlierFiles.length >= maxWritten) return null;
  const keptBytes = earlierFiles.reduce(
    (sum, { size_bytes, text }) => sum + (text === null ? 0 : size_bytes),
    0,
  );
  const fits = size <= maxWrittenFileBytes && keptBytes + size <= maxWrittenBytes;
  const text = fits && typeof base64 === "string" ? decodeText(base64, size) : null;
  return { path: file, size_bytes: size, text };
}

function decodeText(base64: string, size: number): string | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return bytes.length === size
      ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
      : null;
  } catch {
    return null;
  }
}
