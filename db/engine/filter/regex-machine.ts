/**
 * A matcher whose time is linear in the text: all ways through the pattern advance together, one code point
 * at a time, ordered by preference, so it finds what backtracking would find without ever going back.
 * Its steps are counted and capped, so that no single text can hold up the process.
 */

import { EngineError, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { nativeSource } from "./regex-native.ts";
import type { Assertion, ParsedRegex, RegexNode } from "./regex-parse.ts";

type Consumes = (code: number) => boolean;
type Instruction =
  | { op: "consume"; accepts: Consumes }
  | { op: "assert"; which: Assertion }
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  | { op: "save"; slot: number }
  | { op: "match" };

/** A literal of the longest pattern still fits. */
const MAX_INSTRUCTIONS = 40_000;
const MAX_STEPS = 50_000_000;

function tooLarge(): never {
  throw new EngineError(51091, "Regular expression is invalid: regular expression is too large");
}

/** Whether a code point belongs; ASCII is looked up, the rest asked once and remembered. */
function consumer(node: RegexNode & { type: "char" | "class" }): Consumes {
  if (node.type === "char" && !node.fold) return (code) => code === node.code;
  const single = new RegExp(`^${nativeSource(node)}$`, "u");
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => Number(single.test(String.fromCharCode(code))));
  const known = new Map<number, boolean>();
  return (code) => {
    if (code < 128) return ascii[code] === 1;
    let answer = known.get(code);
    if (answer === undefined) {
      answer = single.test(String.fromCodePoint(code));
      if (known.size < 4096) known.set(code, answer);
    }
    return answer;
  };
}

class Assembler {
  readonly program: Instruction[] = [];
  readonly #consumers = new Map<string, Consumes>();

  emit(instruction: Instruction): number {
    if (this.program.length >= MAX_INSTRUCTIONS) tooLarge();
    return this.program.push(instruction) - 1;
  }

  /** Made once for all places that take the same. */
  #consumer(node: RegexNode & { type: "char" | "class" }): Consumes {
    const source = nativeSource(node);
    const known = this.#consumers.get(source) ?? consumer(node);
    this.#consumers.set(source, known);
    return known;
  }

  add(node: RegexNode): void {
    switch (node.type) {
      case "char":
      case "class":
        this.emit({ op: "consume", accepts: this.#consumer(node) });
        break;
      case "assert":
        this.emit({ op: "assert", which: node.which });
        break;
      case "look":
        unsupported("A look-around assertion together with unbounded repetition in a regular expression");
        break;
      case "group":
        if (node.capture !== undefined) this.emit({ op: "save", slot: node.capture * 2 });
        this.add(node.body);
        if (node.capture !== undefined) this.emit({ op: "save", slot: node.capture * 2 + 1 });
        break;
      case "sequence":
        for (const item of node.items) this.add(item);
        break;
      case "choice":
        this.#choice(node.options);
        break;
      case "repeat":
        this.#repeat(node);
    }
  }

  #choice(options: RegexNode[]): void {
    const exits: { op: "jump"; to: number }[] = [];
    for (const [i, option] of options.entries()) {
      if (i === options.length - 1) {
        this.add(option);
        break;
      }
      const split = { op: "split" as const, first: 0, second: 0 };
      split.first = this.emit(split) + 1;
      this.add(option);
      const exit = { op: "jump" as const, to: 0 };
      exits.push(exit);
      split.second = this.emit(exit) + 1;
    }
    for (const exit of exits) exit.to = this.program.length;
  }

  #repeat(node: RegexNode & { type: "repeat" }): void {
    for (let i = 0; i < node.min; i++) this.add(node.body);
    if (node.max === Infinity) {
      const split = { op: "split" as const, first: 0, second: 0 };
      const start = this.emit(split);
      this.add(node.body);
      this.emit({ op: "jump", to: start });
      this.#aim(split, start + 1, this.program.length, node.greedy);
      return;
    }
    const splits: { split: { op: "split"; first: number; second: number }; inside: number }[] = [];
    for (let i = node.min; i < node.max; i++) {
      const split = { op: "split" as const, first: 0, second: 0 };
      splits.push({ split, inside: this.emit(split) + 1 });
      this.add(node.body);
    }
    for (const { split, inside } of splits) this.#aim(split, inside, this.program.length, node.greedy);
  }

  #aim(split: { first: number; second: number }, inside: number, after: number, greedy: boolean): void {
    split.first = greedy ? inside : after;
    split.second = greedy ? after : inside;
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

const NEWLINE = 10;
const HOLDS: Record<Assertion, (text: string, at: number) => boolean> = {
  start: (_, at) => at === 0,
  end: (text, at) => at === text.length,
  endOrNewline: (text, at) =>
    at === text.length || (at === text.length - 1 && text.charCodeAt(at) === NEWLINE),
  lineStart: (text, at) => at === 0 || (text.charCodeAt(at - 1) === NEWLINE && at < text.length),
  lineEnd: (text, at) => at === text.length || text.charCodeAt(at) === NEWLINE,
  word: (text, at) => isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at)),
  notWord: (text, at) => isWord(text.charCodeAt(at - 1)) === isWord(text.charCodeAt(at)),
};

/** Where groups start and end; undefined when only the answer yes or no is wanted. */
type Slots = readonly number[] | undefined;

/** The ways under way at one position, most preferred first, each place in the program at most once. */
class Front {
  readonly places: Int32Array;
  readonly slots: Slots[] = [];
  size = 0;
  /** The round in which a place was last entered. */
  readonly seen: Int32Array;
  round = 0;

  constructor(length: number) {
    this.places = new Int32Array(length);
    this.seen = new Int32Array(length);
  }
  clear(): void {
    this.size = 0;
    this.round++;
  }
}

const CONSUME = 0;
const ASSERT = 1;
const SPLIT = 2;
const JUMP = 3;
const SAVE = 4;
const MATCH = 5;
const CODES = { consume: CONSUME, assert: ASSERT, split: SPLIT, jump: JUMP, save: SAVE, match: MATCH };

/** The program in flat arrays: it is read for every character of a text. */
class Code {
  readonly codes: Uint8Array;
  /** Where to go on, or which slot to fill. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly accepts: (Consumes | undefined)[];
  readonly holds: (((text: string, at: number) => boolean) | undefined)[];

  constructor(program: Instruction[]) {
    this.codes = Uint8Array.from(program, ({ op }) => CODES[op]);
    this.first = Int32Array.from(program, (it) =>
      it.op === "split" ? it.first : it.op === "jump" ? it.to : it.op === "save" ? it.slot : 0,
    );
    this.second = Int32Array.from(program, (it) => (it.op === "split" ? it.second : 0));
    this.accepts = program.map((it) => (it.op === "consume" ? it.accepts : undefined));
    this.holds = program.map((it) => (it.op === "assert" ? HOLDS[it.which] : undefined));
  }

  /** Puts on the front every consuming place reachable from `start` without reading; counts its steps. */
  follow(front: Front, start: number, slots: Slots, text: string, at: number): number {
    const { codes, first, second } = this;
    const { seen, round } = front;
    let pending: { place: number; saved: Slots; next: typeof pending } | undefined;
    let place = start;
    let saved = slots;
    for (let steps = 1; ; steps++) {
      let next = -1;
      if (seen[place] !== round) {
        seen[place] = round;
        switch (codes[place]) {
          case JUMP:
            next = present(first[place]);
            break;
          case SPLIT:
            pending = { place: present(second[place]), saved, next: pending };
            next = present(first[place]);
            break;
          case ASSERT:
            if (present(this.holds[place])(text, at)) next = place + 1;
            break;
          case SAVE:
            saved = saved?.with(present(first[place]), at);
            next = place + 1;
            break;
          default:
            if (saved) front.slots[front.size] = saved;
            front.places[front.size++] = place;
        }
      }
      if (next < 0) {
        if (!pending) return steps;
        ({ place: next, saved, next: pending } = pending);
      }
      place = next;
    }
  }
}

export class Machine {
  readonly #code: Code;
  readonly #length: number;
  readonly #empty: readonly number[];

  constructor({ root, captures }: ParsedRegex) {
    const assembler = new Assembler();
    assembler.emit({ op: "save", slot: 0 });
    assembler.add(root);
    assembler.emit({ op: "save", slot: 1 });
    assembler.emit({ op: "match" });
    this.#code = new Code(assembler.program);
    this.#length = assembler.program.length;
    this.#empty = new Array((captures + 1) * 2).fill(-1);
  }

  test(text: string): boolean {
    return this.#run(text, 0, undefined) !== undefined;
  }

  /** Start and end of the first match and of each group in it as offsets; -1 where a group took no part. */
  exec(text: string, from: number): readonly number[] | undefined {
    return this.#run(text, from, this.#empty);
  }

  #run(text: string, from: number, empty: Slots): readonly number[] | undefined {
    const code = this.#code;
    const { codes, accepts } = code;
    let current = new Front(this.#length);
    let next = new Front(this.#length);
    let found: readonly number[] | undefined;
    let steps = 0;
    current.clear();
    next.clear();
    for (let at = from; ; ) {
      if (!found) steps += code.follow(current, 0, empty, text, at);
      if (current.size === 0 && found) break;
      const char = text.codePointAt(at) ?? -1;
      const after = at + (char > 0xffff ? 2 : 1);
      next.clear();
      for (let i = 0; i < current.size; i++) {
        const place = present(current.places[i]);
        if (codes[place] === MATCH) {
          if (!empty) return this.#empty;
          found = current.slots[i];
          break;
        }
        if (char >= 0 && present(accepts[place])(char))
          steps += code.follow(next, place + 1, empty && current.slots[i], text, after);
      }
      steps += current.size + 1;
      if (steps > MAX_STEPS) throw new EngineError(51156, "Regular expression takes too long on this text");
      [current, next] = [next, current];
      if (char < 0) break;
      at = after;
    }
    return found;
  }
}
