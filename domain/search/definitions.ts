import { isLanguage, type LanguageName } from "#domain/files/language.ts";
import { findHeadings } from "#domain/notes/headings.ts";
import { DEFINITION_PATTERNS } from "#domain/search/definition-patterns.ts";
import type { DefinitionKind, DefinitionRule, DefinitionSyntax } from "#domain/search/definition-rule.ts";
import { findJsonKeys } from "#domain/search/json-keys.ts";
import { contains } from "#domain/search/matching-line.ts";

/** A line that defines something by name. Lines count from 1; depth is how many other definitions it lies in. */
export type Definition = { name: string; line: number; kind: DefinitionKind; depth: number };

const DEFINITIONS_MAX = 2_000;
/** Longer lines are made by programs and are skipped. */
const LINE_MAX = 1_000;
const NAME_MAX = 200;
const JSON_DEPTH_MAX = 1;
/** A search for one name looks no further: at so many characters, and at so many lines of them or lines that have the name. */
const SEARCHED_LENGTH = 64 * 1024;
const SEARCHED_LINES = 2_000;

/** What a text defines, in order, by the language it is in. */
export function findDefinitions(text: string, language: string, max = DEFINITIONS_MAX): Definition[] {
  if (!isLanguage(language)) return [];
  return findAll(text, language, max).map((found) => ({ ...found, name: cutName(found.name) }));
}

/** A text and its fold, which is what a search compares. */
type FoldedText = { text: string; folded: string };

/**
 * The definitions whose names have the needle. In most languages each line speaks for itself: there only lines that have the needle are
 * looked at. Long texts are only looked at in part, because a search does this for each of its hits.
 */
export function findDefinitionsNamed(
  { text, folded: foldedText }: FoldedText,
  language: string,
  foldedNeedle: string,
): Pick<Definition, "name" | "line">[] {
  if (!isLanguage(language)) return [];
  const isNamed = ({ name }: { name: string }) => contains(name, foldedNeedle);
  const syntax = language === "markdown" || language === "json" ? null : DEFINITION_PATTERNS[language];
  // Where the fold is longer than the text, places in one are not places in the other.
  if (!syntax || !hasIndependentLines(syntax) || foldedText.length !== text.length)
    return findDefinitions(cutBeginning(text), language).filter(isNamed);
  return linesWith(text, foldedText, foldedNeedle)
    .take(SEARCHED_LINES)
    .flatMap(({ content, line }) => {
      const read = content.length <= LINE_MAX ? readLine(content, syntax, new Nesting()) : null;
      return read ? [{ name: cutName(read.name), line }] : [];
    })
    .filter(isNamed)
    .toArray();
}

function cutBeginning(text: string): string {
  const lines = text.slice(0, SEARCHED_LENGTH).split("\n", SEARCHED_LINES);
  return lines.join("\n");
}

const hasIndependentLines = ({ rules, depthMax, clauses, quotes }: DefinitionSyntax) =>
  depthMax === undefined && !clauses && !quotes && rules.every((one) => one.parent === undefined);

function* linesWith(text: string, foldedText: string, needle: string) {
  let line = 1;
  let counted = 0;
  for (let place = foldedText.indexOf(needle); place >= 0; ) {
    for (let newline = text.indexOf("\n", counted); newline >= 0 && newline < place; ) {
      line += 1;
      counted = newline + 1;
      newline = text.indexOf("\n", counted);
    }
    const newline = text.indexOf("\n", place);
    const end = newline < 0 ? text.length : newline;
    yield { content: text.slice(counted, end), line };
    place = foldedText.indexOf(needle, end + 1);
  }
}

function findAll(text: string, language: LanguageName, max: number): Definition[] {
  if (language === "markdown") return findMarkdownHeadings(text, max);
  if (language === "json")
    return findJsonKeys(text, JSON_DEPTH_MAX, max).map((key) => ({ ...key, kind: "key" }));
  return findByLine(text, DEFINITION_PATTERNS[language], max);
}

/** Half of a surrogate pair is never left at the end. */
function cutName(name: string): string {
  return name.length <= NAME_MAX ? name : name.slice(0, NAME_MAX).replace(/[\ud800-\udbff]$/, "");
}

function findMarkdownHeadings(text: string, max: number): Definition[] {
  const lines = text.split("\n").map((line) => (line.length > LINE_MAX ? "" : line.replace(/\r$/, "")));
  const nesting = new Nesting();
  return findHeadings(lines)
    .filter(({ text }) => text !== "")
    .slice(0, max)
    .map(({ text, line }) => {
      const level = /^ {0,3}(#{1,6})/.exec(lines[line - 1] ?? "")?.[1]?.length;
      return {
        name: text,
        line,
        kind: "heading",
        depth: nesting.enter(level ?? underlinedLevel(lines[line]), text),
      };
    });
}

const underlinedLevel = (underline = "") => (underline.trim().startsWith("=") ? 1 : 2);

/** The definitions around a line, by their indentation. */
class Nesting {
  readonly #around: { level: number; name: string }[] = [];

  /** The depth of a definition, which is then around what follows and is indented further. */
  enter(level: number, name: string): number {
    this.#leave(level);
    this.#around.push({ level, name });
    return this.#around.length - 1;
  }

  parentAt(level: number): string | undefined {
    return this.#around.findLast((outer) => outer.level < level)?.name;
  }

  #leave(level: number): void {
    while ((this.#around.at(-1)?.level ?? -1) >= level) this.#around.pop();
  }
}

function findByLine(text: string, syntax: DefinitionSyntax, max: number): Definition[] {
  const found: Definition[] = [];
  if (syntax.rules.length === 0) return found;
  const nesting = new Nesting();
  let line = 0;
  for (let start = 0; start <= text.length && found.length < max; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    line += 1;
    const read = end - start <= LINE_MAX ? readLine(text.slice(start, end), syntax, nesting) : null;
    start = end + 1;
    if (read === null) continue;
    const definition = { ...read, line };
    if (definition.depth > (syntax.depthMax ?? definition.depth)) continue;
    if (syntax.clauses && isSame(found.at(-1), definition)) continue;
    found.push(definition);
  }
  return found;
}

const isSame = (before: Definition | undefined, next: Definition) =>
  before?.name === next.name && before.kind === next.kind && before.depth === next.depth;

type LineParts = { rest: string; indent: number; modified: boolean };

function readLine(line: string, syntax: DefinitionSyntax, nesting: Nesting): Omit<Definition, "line"> | null {
  const parts = splitLine(line, syntax.modifier);
  if (parts.rest === "") return null;
  for (const rule of syntax.rules) {
    if (!appliesTo(rule, parts, nesting)) continue;
    const name = cleanName(rule.pattern.exec(parts.rest)?.[1] ?? "", syntax.quotes);
    if (name === "") continue;
    return { name, kind: rule.kind, depth: nesting.enter(rule.level ?? parts.indent, name) };
  }
  return null;
}

const TAB_WIDTH = 4;

function splitLine(line: string, modifier: RegExp | undefined): LineParts {
  let rest = line.trim();
  let indent = 0;
  for (const blank of line.slice(0, line.indexOf(rest))) indent += blank === "\t" ? TAB_WIDTH : 1;
  let modified = false;
  for (let word = modifier?.exec(rest)?.[0]; word !== undefined; word = modifier?.exec(rest)?.[0]) {
    rest = rest.slice(word.length);
    modified = true;
    // An entry of a list in YAML is indented by its dash.
    if (word.startsWith("-")) indent += word.length;
  }
  return { rest, indent, modified };
}

function appliesTo(rule: DefinitionRule, { rest, indent, modified }: LineParts, nesting: Nesting): boolean {
  if (rule.at !== undefined && (rule.at === "top") !== (indent === 0)) return false;
  if (rule.modified && !modified) return false;
  if (rule.ends !== undefined && !rest.endsWith(rule.ends)) return false;
  if (rule.endsNot !== undefined && rest.endsWith(rule.endsNot)) return false;
  if (rule.without?.test(rest)) return false;
  return rule.parent === undefined || nesting.parentAt(indent) === rule.parent;
}

const cleanName = (name: string, quotes = false) => (quotes ? name.replace(/["`[\]]/g, "") : name).trim();
