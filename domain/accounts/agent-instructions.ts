import { Refusal } from "#domain/refusal.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/** What a person tells the agents that work on their library, and the primer that agents read. */
export const INSTRUCTIONS_MAX_BYTES = 24 * 1024;
export const PRIMER_MAX_BYTES = 24 * 1024;
export const PRIMER_FILES = 5;

const CUT = "\n\n[Cut here: a primer has at most 24 KiB.]";

/** As typed, but with plain line ends and without space around it. */
export function checkInstructions(typed: string): string | Refusal {
  const text = plainLineEnds(typed).trim();
  const size_bytes = utf8Bytes(text);
  if (size_bytes > INSTRUCTIONS_MAX_BYTES)
    return Refusal("instructions_too_long", { max_bytes: INSTRUCTIONS_MAX_BYTES, size_bytes });
  return text.includes("\0") || !text.isWellFormed() ? Refusal("binary_content") : text;
}

/** The instructions, then a line on the newest files; empty where there is neither. Where both are too long, the instructions are cut. */
export function writePrimer(
  instructions: string,
  latest: readonly { id: string; file_name: string }[],
): string {
  const names = latest.map(({ id, file_name }) => `${file_name} (${id})`).join(", ");
  const line = names === "" ? "" : `Latest files: ${names}`;
  const whole = [instructions, line].filter(Boolean).join("\n\n");
  const text = utf8Bytes(whole) < PRIMER_MAX_BYTES ? whole : shortened(instructions, line);
  return text === "" ? "" : `${text}\n`;
}

function shortened(instructions: string, line: string): string {
  const end = line === "" ? CUT : `${CUT}\n\n${line}`;
  return cutToBytes(instructions, PRIMER_MAX_BYTES - utf8Bytes(end) - 1) + end;
}

/** The longest beginning that has no more bytes than these and ends with a whole character. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= maxBytes) return text;
  let end = Math.max(maxBytes, 0);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
