/** What a line defines. */
export type DefinitionKind =
  | "function"
  | "class"
  | "type"
  | "variable"
  | "heading"
  | "key"
  | "table"
  | "selector"
  | "target";

/**
 * A kind of line that defines something. The pattern is anchored at the line's first character that is neither blank nor part of a
 * modifier; its first group is the name. No pattern repeats what itself repeats, so that reading a line takes time by its length.
 */
export type DefinitionRule = { kind: DefinitionKind; pattern: RegExp } & RuleLimits;

type RuleLimits = {
  /** Only lines that are not indented, or only those that are. */
  at?: "top" | "inner";
  /** Only lines that had a modifier, such as `public`. */
  modified?: true;
  /** How the line has to end, or may not end. */
  ends?: "{";
  endsNot?: ";";
  /** What the line may not have. */
  without?: RegExp;
  /** The definition that it has to lie in. */
  parent?: string;
  /** What counts as its indentation, where indentation says nothing. */
  level?: number;
};

export type DefinitionSyntax = {
  /** A word that may stand before what is defined, with the blanks behind it. It is skipped as often as it comes. */
  modifier?: RegExp;
  rules: readonly DefinitionRule[];
  /** Definitions that lie deeper are left out. */
  depthMax?: number;
  /** One thing is defined by several lines with its name, one after another. */
  clauses?: true;
  /** Names may stand in quotes or brackets, which are no part of them. */
  quotes?: true;
};

/** A name in any script. */
export const ID = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;
/** A type as Java and its relatives write it, up to the blank before a name. */
export const TYPE = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_.<>,?:&*\[\] ]*[\s>\]*&]`;

export const rule = (kind: DefinitionKind, source: string, limits: RuleLimits = {}): DefinitionRule => ({
  kind,
  pattern: new RegExp(`^${source}`, "u"),
  ...limits,
});

/** A rule of a language that does not tell capitals apart. */
export const caselessRule = (
  kind: DefinitionKind,
  source: string,
  limits: RuleLimits = {},
): DefinitionRule => ({ kind, pattern: new RegExp(`^${source}`, "iu"), ...limits });

/** Words, each with the blanks behind it. */
export const words = (list: string, flags = "u"): RegExp =>
  new RegExp(String.raw`^(?:${list.trim().replace(/\s+/g, "|")})\s+`, flags);
