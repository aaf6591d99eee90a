import { endianness } from "node:os";
import { required } from "#domain/required.ts";
import { hasKey } from "#domain/typed-keys.ts";
import { DENIED_CALLS, DENIED_TO_PROGRAMS, type SystemCall, TREATED_APART } from "./system-calls.ts";

/**
 * Builds a filter of system calls for the kernel: classic BPF that checks a call's number and first argument. Calls that are
 * not listed pass. Calls in another processor's convention are all refused, because their numbers mean other calls.
 */
export type FilterKind = "program" | "git";
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const FIRST_ARGUMENT_OFFSET = 16;

const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 1 },
  arm64: { audit: 0xc00000b7, column: 2 },
} as const;
/** On x64, numbers from here on are second names of the same calls. */
const X32_NUMBERS_FROM = 0x40000000;

/** The flags that each create a namespace. */
const NEW_NAMESPACES = 0x7e020000;
const THREAD_FLAG = 0x00010000;
/** Local, IPv4, IPv6, and netlink for the resolver. */
const GIT_SOCKET_FAMILIES = [1, 2, 10, 16];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const returnWith = (answer: number): Instruction => [RETURN, 0, 0, answer >>> 0];
const refuse = (errno: number): Instruction => returnWith(REFUSE | errno);
const buildCallBranch = (number: number, then: Instruction[]): Instruction[] => [
  [JUMP_EQUAL, 0, then.length, number],
  ...then,
];

const refuseX32 = (): Instruction[] => [[JUMP_AT_LEAST, 0, 1, X32_NUMBERS_FROM], refuse(ENOSYS)];

/** Returns null for a processor without a filter. */
export function buildSeccompFilter(kind: FilterKind, arch: string = process.arch): Buffer | null {
  if (!hasKey(ARCHITECTURES, arch) || endianness() !== "LE") return null;
  const { audit, column } = ARCHITECTURES[arch];
  const denied = [...DENIED_CALLS, ...(kind === "program" ? DENIED_TO_PROGRAMS : [])];
  const getNumber = (call: SystemCall) => call[column];
  const requireNumber = (call: SystemCall) => required(getNumber(call), `number of ${call[0]}`);
  const numbers = denied.map(getNumber).filter((number) => number !== null);
  const instructions: Instruction[] = [
    load(ARCHITECTURE_OFFSET),
    [JUMP_EQUAL, 1, 0, audit],
    refuse(ENOSYS),
    load(NUMBER_OFFSET),
    ...(arch === "x64" ? refuseX32() : []),
    ...numbers.flatMap((number) => buildCallBranch(number, [refuse(EPERM)])),
    ...TREATED_APART.unknown.flatMap((call) => buildCallBranch(requireNumber(call), [refuse(ENOSYS)])),
    ...buildCallBranch(requireNumber(TREATED_APART.clone), buildCloneRules(kind)),
    ...(kind === "git" ? buildCallBranch(requireNumber(TREATED_APART.socket), buildSocketRules()) : []),
    returnWith(ALLOW),
  ];
  return encode(instructions);
}

/** Refuses new namespaces; a program may only start threads, no processes. */
function buildCloneRules(kind: FilterKind): Instruction[] {
  const onlyThreads: Instruction[] = [[JUMP_ANY_BIT, 1, 0, THREAD_FLAG], refuse(EPERM)];
  return [
    load(FIRST_ARGUMENT_OFFSET),
    [JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES],
    refuse(EPERM),
    ...(kind === "program" ? onlyThreads : []),
    returnWith(ALLOW),
  ];
}

function buildSocketRules(): Instruction[] {
  return [
    load(FIRST_ARGUMENT_OFFSET),
    ...GIT_SOCKET_FAMILIES.flatMap((family) => buildCallBranch(family, [returnWith(ALLOW)])),
    refuse(EAFNOSUPPORT),
  ];
}

const INSTRUCTION_BYTES = 8;

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(([code, jumpTrue, jumpFalse, operand], i) => {
    const offset = i * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, offset);
    bytes.writeUInt8(jumpTrue, offset + 2);
    bytes.writeUInt8(jumpFalse, offset + 3);
    bytes.writeUInt32LE(operand, offset + 4);
  });
  return bytes;
}
