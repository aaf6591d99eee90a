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
 * A kind of line that defines something. The pattern is anchored at the first character after blanks and modifiers; its first
 * group is the name. No pattern nests repetitions, so the time to read a line is bounded by its length.
 */
export type DefinitionRule = { kind: DefinitionKind; pattern: RegExp } & RuleLimits;

type RuleLimits = {
  /** Matches only lines without indent, or only indented ones. */
  at?: "top" | "inner";
  /** Matches only lines that had a modifier such as `public`. */
  modified?: true;
  ends?: "{";
  endsNot?: ";";
  /** The line must not match this. */
  without?: RegExp;
  /** The definition that must enclose the line. */
  parent?: string;
  /** Replaces the indent where indentation has no meaning. */
  level?: number;
};

export type DefinitionSyntax = {
  /** A word before the definition, with its following blanks. It is skipped repeatedly. */
  modifier?: RegExp;
  rules: readonly DefinitionRule[];
  /** Deeper definitions are left out. */
  depthMax?: number;
  /** Several lines in a row with the same name define a single thing. */
  clauses?: true;
  /** Names may be in quotes or brackets, which do not belong to them. */
  quotes?: true;
};

/** An identifier in any script. */
export const ID = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;
/** A type as in Java and similar languages, up to the blank before a name. */
export const TYPE = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_.<>,?:&*\[\] ]*[\s>\]*&]`;

export const rule = (kind: DefinitionKind, source: string, limits: RuleLimits = {}): DefinitionRule => ({
  kind,
  pattern: new RegExp(`^${source}`, "u"),
  ...limits,
});

/** A rule for languages that ignore case. */
export const caselessRule = (
  kind: DefinitionKind,
  source: string,
  limits: RuleLimits = {},
): DefinitionRule => ({ kind, pattern: new RegExp(`^${source}`, "iu"), ...limits });

/** Matches any of the words with its following blanks. */
export const words = (list: string, flags = "u"): RegExp =>
  new RegExp(String.raw`^(?:${list.trim().replace(/\s+/g, "|")})\s+`, flags);
