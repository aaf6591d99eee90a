import { isLanguage, type LanguageName } from "#domain/files/language.ts";
import { findHeadings } from "#domain/notes/headings.ts";
import { DEFINITION_PATTERNS } from "#domain/search/definition-patterns.ts";
import type { DefinitionKind, DefinitionRule, DefinitionSyntax } from "#domain/search/definition-rule.ts";
import { findJsonKeys } from "#domain/search/json-keys.ts";
import { contains } from "#domain/search/matching-line.ts";

/** A line that defines a name. Lines count from 1; depth counts the enclosing definitions. */
export type Definition = { name: string; line: number; kind: DefinitionKind; depth: number };

const DEFINITIONS_MAX = 2_000;
/** Longer lines are generated and are skipped. */
const LINE_MAX = 1_000;
const NAME_MAX = 200;
const JSON_DEPTH_MAX = 1;
/** Limits of a search by name: characters of the text, and lines read. */
const SEARCHED_LENGTH = 64 * 1024;
const SEARCHED_LINES = 2_000;

export function findDefinitions(text: string, language: string, max = DEFINITIONS_MAX): Definition[] {
  if (!isLanguage(language)) return [];
  return findAllDefinitions(text, language, max).map((definition) => ({
    ...definition,
    name: cutName(definition.name),
  }));
}

/** A text and its folded form, which searches compare. */
type FoldedText = { text: string; folded: string };

/**
 * Finds definitions whose names contain the needle. In most languages lines are independent, so only lines with the needle are
 * read. Long texts are read only in part, because a search does this for each hit.
 */
export function findDefinitionsNamed(
  { text, folded: foldedText }: FoldedText,
  language: string,
  foldedNeedle: string,
): Pick<Definition, "name" | "line">[] {
  if (!isLanguage(language)) return [];
  const isNamed = ({ name }: { name: string }) => contains(name, foldedNeedle);
  const syntax = language === "markdown" || language === "json" ? null : DEFINITION_PATTERNS[language];
  // If the folded text is longer, positions in both texts differ.
  if (!syntax || !hasIndependentLines(syntax) || foldedText.length !== text.length)
    return findDefinitions(cutBeginning(text), language).filter(isNamed);
  return listLinesWith(text, foldedText, foldedNeedle)
    .take(SEARCHED_LINES)
    .flatMap(({ content, line }) => {
      const definition = content.length <= LINE_MAX ? readLine(content, syntax, new Nesting()) : null;
      return definition ? [{ name: cutName(definition.name), line }] : [];
    })
    .filter(isNamed)
    .toArray();
}

function cutBeginning(text: string): string {
  const lines = text.slice(0, SEARCHED_LENGTH).split("\n", SEARCHED_LINES);
  return lines.join("\n");
}

const hasIndependentLines = ({ rules, depthMax, clauses, quotes }: DefinitionSyntax) =>
  depthMax === undefined && !clauses && !quotes && rules.every((rule) => rule.parent === undefined);

function* listLinesWith(text: string, foldedText: string, needle: string) {
  let line = 1;
  let lineStart = 0;
  for (let hit = foldedText.indexOf(needle); hit >= 0; ) {
    for (let newline = text.indexOf("\n", lineStart); newline >= 0 && newline < hit; ) {
      line += 1;
      lineStart = newline + 1;
      newline = text.indexOf("\n", lineStart);
    }
    const newline = text.indexOf("\n", hit);
    const end = newline < 0 ? text.length : newline;
    yield { content: text.slice(lineStart, end), line };
    hit = foldedText.indexOf(needle, end + 1);
  }
}

function findAllDefinitions(text: string, language: LanguageName, max: number): Definition[] {
  if (language === "markdown") return findMarkdownHeadings(text, max);
  if (language === "json")
    return findJsonKeys(text, JSON_DEPTH_MAX, max).map((key) => ({ ...key, kind: "key" }));
  return findByLine(text, DEFINITION_PATTERNS[language], max);
}

/** Never leaves half of a surrogate pair at the end. */
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
        depth: nesting.enter(level ?? toUnderlineLevel(lines[line]), text),
      };
    });
}

const toUnderlineLevel = (underline = "") => (underline.trim().startsWith("=") ? 1 : 2);

/** Tracks the definitions that enclose a line, by indentation. */
class Nesting {
  readonly #enclosing: { level: number; name: string }[] = [];

  /** Adds a definition and returns its depth. It encloses the following lines with a larger indent. */
  enter(level: number, name: string): number {
    this.#leave(level);
    this.#enclosing.push({ level, name });
    return this.#enclosing.length - 1;
  }

  findParent(level: number): string | undefined {
    return this.#enclosing.findLast((outer) => outer.level < level)?.name;
  }

  #leave(level: number): void {
    while ((this.#enclosing.at(-1)?.level ?? -1) >= level) this.#enclosing.pop();
  }
}

function findByLine(text: string, syntax: DefinitionSyntax, max: number): Definition[] {
  const definitions: Definition[] = [];
  if (syntax.rules.length === 0) return definitions;
  const nesting = new Nesting();
  let line = 0;
  for (let start = 0; start <= text.length && definitions.length < max; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    line += 1;
    const lineDefinition = end - start <= LINE_MAX ? readLine(text.slice(start, end), syntax, nesting) : null;
    start = end + 1;
    if (lineDefinition === null) continue;
    const definition = { ...lineDefinition, line };
    if (definition.depth > (syntax.depthMax ?? definition.depth)) continue;
    if (syntax.clauses && isSame(definitions.at(-1), definition)) continue;
    definitions.push(definition);
  }
  return definitions;
}

const isSame = (previous: Definition | undefined, next: Definition) =>
  previous?.name === next.name && previous.kind === next.kind && previous.depth === next.depth;

type LineParts = { rest: string; indent: number; isModified: boolean };

function readLine(line: string, syntax: DefinitionSyntax, nesting: Nesting): Omit<Definition, "line"> | null {
  const parts = splitLine(line, syntax.modifier);
  if (parts.rest === "") return null;
  for (const rule of syntax.rules) {
    if (!ruleApplies(rule, parts, nesting)) continue;
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
  let isModified = false;
  for (let word = modifier?.exec(rest)?.[0]; word !== undefined; word = modifier?.exec(rest)?.[0]) {
    rest = rest.slice(word.length);
    isModified = true;
    // A list entry in YAML is indented by its dash.
    if (word.startsWith("-")) indent += word.length;
  }
  return { rest, indent, isModified };
}

function ruleApplies(
  rule: DefinitionRule,
  { rest, indent, isModified }: LineParts,
  nesting: Nesting,
): boolean {
  if (rule.at !== undefined && (rule.at === "top") !== (indent === 0)) return false;
  if (rule.modified && !isModified) return false;
  if (rule.ends !== undefined && !rest.endsWith(rule.ends)) return false;
  if (rule.endsNot !== undefined && rest.endsWith(rule.endsNot)) return false;
  if (rule.without?.test(rest)) return false;
  return rule.parent === undefined || nesting.findParent(indent) === rule.parent;
}

const cleanName = (name: string, quotes = false) => (quotes ? name.replace(/["`[\]]/g, "") : name).trim();
