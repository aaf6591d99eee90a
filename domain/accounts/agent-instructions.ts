import { Refusal } from "#domain/refusal.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/** Instructions are a person's own text for agents; the primer is what agents read: the instructions and the newest files. */
export const INSTRUCTIONS_MAX_BYTES = 24 * 1024;
export const PRIMER_MAX_BYTES = 24 * 1024;
export const PRIMER_FILES = 5;

const CUT = "\n\n[Cut here: a primer has at most 24 KiB.]";

export function checkInstructions(typed: string): string | Refusal {
  const text = plainLineEnds(typed).trim();
  const size_bytes = utf8Bytes(text);
  if (size_bytes > INSTRUCTIONS_MAX_BYTES)
    return Refusal("instructions_too_long", { max_bytes: INSTRUCTIONS_MAX_BYTES, size_bytes });
  return text.includes("\0") || !text.isWellFormed() ? Refusal("binary_content") : text;
}

/** Returns "" if there are no instructions and no files. A primer over the limit keeps the list of files and cuts the instructions. */
export function composePrimer(
  instructions: string,
  latest: readonly { id: string; file_name: string }[],
): string {
  const names = latest.map(({ id, file_name }) => `${file_name} (${id})`).join(", ");
  const line = names === "" ? "" : `Latest files: ${names}`;
  const fullText = [instructions, line].filter(Boolean).join("\n\n");
  const text = utf8Bytes(fullText) < PRIMER_MAX_BYTES ? fullText : cutInstructions(instructions, line);
  return text === "" ? "" : `${text}\n`;
}

function cutInstructions(instructions: string, line: string): string {
  const end = line === "" ? CUT : `${CUT}\n\n${line}`;
  return cutToBytes(instructions, PRIMER_MAX_BYTES - utf8Bytes(end) - 1) + end;
}

/** Cuts only between characters. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= maxBytes) return text;
  let end = Math.max(maxBytes, 0);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
