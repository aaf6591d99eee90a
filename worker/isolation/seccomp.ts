import { endianness } from "node:os";
import { required } from "#domain/required.ts";
import { hasKey } from "#domain/typed-keys.ts";
import { DENIED_CALLS, DENIED_TO_PROGRAMS, type SystemCall, TREATED_APART } from "./system-calls.ts";

/**
 * A filter of system calls, as the kernel takes it: classic BPF that looks at a call's number and first argument. A call that
 * is not named passes. Calls in the convention of another processor are all refused, because their numbers mean other calls.
 */
export type FilterKind = "program" | "git";
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;

const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 1 },
  arm64: { audit: 0xc00000b7, column: 2 },
} as const;
/** Numbers from here on are the same calls under a second name on x64. */
const X32_NUMBERS_FROM = 0x40000000;

/** The flags of which each makes a namespace. */
const NEW_NAMESPACES = 0x7e020000;
const AS_THREAD = 0x00010000;
/** Local, IPv4, IPv6, and netlink, which the resolver uses. */
const GIT_SOCKET_FAMILIES = [1, 2, 10, 16];

const load = (at: number): Instruction => [LOAD, 0, 0, at];
const leave = (answer: number): Instruction => [RETURN, 0, 0, answer >>> 0];
const refuse = (errno: number): Instruction => leave(REFUSE | errno);
const when = (number: number, then: Instruction[]): Instruction[] => [
  [JUMP_EQUAL, 0, then.length, number],
  ...then,
];

const refuseX32 = (): Instruction[] => [[JUMP_AT_LEAST, 0, 1, X32_NUMBERS_FROM], refuse(ENOSYS)];

/** The filter's bytes, or null for a processor that it is not written for. */
export function buildSeccompFilter(kind: FilterKind, arch: string = process.arch): Buffer | null {
  if (!hasKey(ARCHITECTURES, arch) || endianness() !== "LE") return null;
  const { audit, column } = ARCHITECTURES[arch];
  const denied = [...DENIED_CALLS, ...(kind === "program" ? DENIED_TO_PROGRAMS : [])];
  const numberIn = (call: SystemCall) => call[column];
  const requireNumber = (call: SystemCall) => required(numberIn(call), `number of ${call[0]}`);
  const numbers = denied.map(numberIn).filter((number) => number !== null);
  const instructions: Instruction[] = [
    load(ARCHITECTURE_AT),
    [JUMP_EQUAL, 1, 0, audit],
    refuse(ENOSYS),
    load(NUMBER_AT),
    ...(arch === "x64" ? refuseX32() : []),
    ...numbers.flatMap((number) => when(number, [refuse(EPERM)])),
    ...TREATED_APART.unknown.flatMap((call) => when(requireNumber(call), [refuse(ENOSYS)])),
    ...when(requireNumber(TREATED_APART.clone), judgeClone(kind)),
    ...(kind === "git" ? when(requireNumber(TREATED_APART.socket), judgeSocket()) : []),
    leave(ALLOW),
  ];
  return encode(instructions);
}

/** Allows no new namespace; a program may only start threads, no processes. */
function judgeClone(kind: FilterKind): Instruction[] {
  const onlyThreads: Instruction[] = [[JUMP_ANY_BIT, 1, 0, AS_THREAD], refuse(EPERM)];
  return [
    load(FIRST_ARGUMENT_AT),
    [JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES],
    refuse(EPERM),
    ...(kind === "program" ? onlyThreads : []),
    leave(ALLOW),
  ];
}

function judgeSocket(): Instruction[] {
  return [
    load(FIRST_ARGUMENT_AT),
    ...GIT_SOCKET_FAMILIES.flatMap((family) => when(family, [leave(ALLOW)])),
    refuse(EAFNOSUPPORT),
  ];
}

const INSTRUCTION_BYTES = 8;

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(([code, jumpTrue, jumpFalse, operand], i) => {
    const at = i * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  });
  return bytes;
}
