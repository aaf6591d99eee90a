import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { buildSeccompFilter, type FilterKind } from "#worker/isolation/seccomp.ts";
import { DENIED_CALLS, DENIED_TO_PROGRAMS, TREATED_APART } from "#worker/isolation/system-calls.ts";

const ARCHITECTURES = [
  { arch: "x64", audit: 0xc000003e, column: 1, read: 0, execve: 59 },
  { arch: "arm64", audit: 0xc00000b7, column: 2, read: 63, execve: 221 },
] as const;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;
const NEW_USER = 0x10000000;
const THREAD = 0x00010000;

type Call = { number: number; audit: number; argument?: number };

/** Interprets a filter as the kernel does, with its four kinds of instruction. */
function judge(filter: Buffer, { number, audit, argument = 0 }: Call): number {
  const fields: Record<number, number> = { 0: number, 4: audit, 16: argument };
  let loaded = 0;
  for (let offset = 0; ; offset += 8) {
    const code = filter.readUInt16LE(offset);
    const [ifTrue, ifFalse] = [filter[offset + 2], filter[offset + 3]];
    const operand = filter.readUInt32LE(offset + 4);
    const holds: Record<number, () => boolean> = {
      21: () => loaded === operand,
      53: () => loaded >= operand,
      69: () => (loaded & operand) !== 0,
    };
    if (code === 0x06) return operand;
    if (code === 0x20) loaded = required(fields[operand]);
    else offset += 8 * (required(holds[code])() ? required(ifTrue) : required(ifFalse));
  }
}

describe.each(ARCHITECTURES)(
  "the filter of system calls on $arch",
  ({ arch, audit, column, read, execve }) => {
    const filterFor = (kind: FilterKind) => required(buildSeccompFilter(kind, arch));
    const ask = (kind: FilterKind, number: number, argument?: number) =>
      judge(filterFor(kind), { number, audit, argument });

    it("lets ordinary calls pass", () => {
      for (const kind of ["program", "git"] as const)
        expect([read, execve].map((number) => ask(kind, number))).toEqual([ALLOW, ALLOW]);
    });

    it("refuses every call it names", () => {
      const numbers = (calls: typeof DENIED_CALLS) =>
        calls.map((call) => call[column]).filter((n) => n !== null);
      for (const number of numbers(DENIED_CALLS))
        expect([number, ask("program", number), ask("git", number)]).toEqual([number, EPERM, EPERM]);
      for (const number of numbers(DENIED_TO_PROGRAMS)) expect(ask("program", number)).toBe(EPERM);
      for (const number of numbers(TREATED_APART.unknown)) expect(ask("git", number)).toBe(ENOSYS);
    });

    it("refuses all calls of another processor, and a second numbering of the same", () => {
      const other = required(ARCHITECTURES.find((each) => each.arch !== arch)).audit;
      expect(judge(filterFor("git"), { number: read, audit: other })).toBe(ENOSYS);
      if (arch === "x64") expect(ask("git", 0x40000000 + read)).toBe(ENOSYS);
    });

    it("lets a program start threads, git also processes, and neither a namespace", () => {
      const clone = required(TREATED_APART.clone[column]);
      expect([ask("program", clone, THREAD), ask("program", clone, 17)]).toEqual([ALLOW, EPERM]);
      expect([ask("git", clone, 17), ask("git", clone, NEW_USER | 17)]).toEqual([ALLOW, EPERM]);
      expect(ask("program", clone, NEW_USER | THREAD)).toBe(EPERM);
    });

    it("lets git use network sockets and no other kind", () => {
      const socket = required(TREATED_APART.socket[column]);
      const [internet, vsock] = [2, 40];
      expect([ask("git", socket, internet), ask("git", socket, vsock)]).toEqual([ALLOW, EAFNOSUPPORT]);
    });
  },
);

it("there is no filter for a processor it is not written for", () => {
  expect(buildSeccompFilter("program", "riscv64")).toBe(null);
});
