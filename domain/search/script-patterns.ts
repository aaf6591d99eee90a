import type { LanguageName } from "#domain/files/language.ts";
import { caselessRule, type DefinitionSyntax, ID, rule, words } from "#domain/search/definition-rule.ts";

/** Languages that indent, or close blocks by a word or by brackets. */
export const SCRIPT_PATTERNS = {
  python: {
    modifier: words("async"),
    rules: [
      rule("function", String.raw`def\s+(${ID})`),
      rule("class", String.raw`class\s+(${ID})`),
      rule("type", String.raw`type\s+(${ID})\s*[=\[]`, { at: "top" }),
      rule("variable", String.raw`(${ID})\s*(?::[^=]*)?=(?!=)`, { at: "top" }),
    ],
  },
  ruby: {
    modifier: words("private protected public"),
    rules: [
      rule("function", String.raw`def\s+(?:self\.)?(${ID}[?!=]?)`),
      rule("class", String.raw`(?:class|module)\s+(\p{L}[\p{L}\p{N}_:]*)`),
      rule("variable", String.raw`attr_(?:accessor|reader|writer)\s+:(${ID})`),
      rule("variable", String.raw`(\p{Lu}[\p{L}\p{N}_]*)\s*=(?![=~])`),
      rule("target", String.raw`task\s+:?"?(${ID})`),
    ],
  },
  lua: {
    modifier: words("local"),
    rules: [
      rule("function", String.raw`function\s+([\p{L}_][\p{L}\p{N}_.:]*)`),
      rule("function", String.raw`([\p{L}_][\p{L}\p{N}_.]*)\s*=\s*function\b`),
      rule("variable", String.raw`(${ID})\s*=(?!=)`, { at: "top" }),
    ],
  },
  perl: {
    rules: [
      rule("function", String.raw`sub\s+(${ID})`),
      rule("class", String.raw`package\s+([\p{L}\p{N}_:]+)`),
      rule("variable", String.raw`use\s+constant\s+(${ID})`),
      rule("variable", String.raw`(?:our|my)\s+[$@%](${ID})`, { at: "top" }),
    ],
  },
  r: {
    rules: [
      rule("function", String.raw`([\p{L}.][\p{L}\p{N}_.]*)\s*(?:<-|=)\s*function\b`),
      rule("class", String.raw`set(?:Ref)?Class\(\s*["']([^"']+)`),
      rule("function", String.raw`setMethod\(\s*["']([^"']+)`),
      rule("variable", String.raw`([\p{L}.][\p{L}\p{N}_.]*)\s*(?:<-|=(?!=))`, { at: "top" }),
    ],
  },
  julia: {
    modifier: words("mutable abstract primitive"),
    rules: [
      rule("function", String.raw`(?:function|macro)\s+(?:[\p{L}\p{N}_.]*\.)?(${ID}!?)`),
      rule("class", String.raw`struct\s+(${ID})`),
      rule("type", String.raw`(?:type|module)\s+(${ID})`),
      rule("function", String.raw`(${ID}!?)\([^=]*\)\s*=(?!=)`, { at: "top" }),
      rule("variable", String.raw`const\s+(${ID})`, { at: "top" }),
    ],
  },
  elixir: {
    clauses: true,
    rules: [
      rule("function", String.raw`def(?:p|macrop?|guardp?|delegate)?\s+(${ID}[?!]?)`),
      rule("class", String.raw`def(?:module|protocol|impl)\s+([\p{L}\p{N}_.]+)`),
      rule("type", String.raw`@(?:type|typep|opaque|callback)\s+(${ID})`),
    ],
  },
  erlang: {
    clauses: true,
    rules: [
      rule("class", String.raw`-(?:module|record)\(\s*(${ID})`),
      rule("variable", String.raw`-define\(\s*(${ID})`),
      rule("type", String.raw`-(?:type|opaque|callback)\s+(${ID})`),
      rule("function", String.raw`(${ID})\(.*->`, { at: "top" }),
    ],
  },
  haskell: {
    clauses: true,
    rules: [
      rule("type", String.raw`module\s+([\p{L}\p{N}_.]+)`),
      rule("class", String.raw`class\s+(?:.*=>\s*)?(\p{Lu}[\p{L}\p{N}_']*)`),
      rule("type", String.raw`(?:data|newtype|type)\s+(?:family\s+|instance\s+)?(\p{Lu}[\p{L}\p{N}_']*)`),
      rule("function", String.raw`(${ID}'*)\s*::`),
    ],
  },
  ocaml: {
    rules: [
      rule("function", String.raw`(?:let|and)\s+(?:rec\s+)?(${ID}'*)\s+[^=:\s]`),
      rule("variable", String.raw`let\s+(${ID}'*)`, { at: "top" }),
      rule("function", String.raw`(?:method|val|external)\s+(?:private\s+)?(${ID})`),
      rule("class", String.raw`(?:class|module\s+type|module)\s+(${ID})`),
      rule("type", String.raw`(?:type|exception)\s+(?:'${ID}\s+|\([^)]*\)\s*)?(${ID})`),
    ],
  },
  fsharp: {
    modifier: words("static abstract override private public internal"),
    rules: [
      rule(
        "function",
        String.raw`(?:let|and)\s+(?:rec\s+|inline\s+|mutable\s+|private\s+)?(${ID}'*)\s+[^=:\s]`,
      ),
      rule("variable", String.raw`let\s+(?:mutable\s+|private\s+)?(${ID})`, { at: "top" }),
      rule("function", String.raw`member\s+(?:${ID}\.)?(${ID})`),
      rule("class", String.raw`type\s+(${ID})`),
      rule("type", String.raw`(?:module|namespace)\s+(?:rec\s+)?([\p{L}\p{N}_.]+)`),
    ],
  },
  clojure: {
    rules: [
      rule("function", String.raw`\(def(?:n-?|macro|multi|method)\s+(?:\^\S+\s+)?([^\s()\[\]]+)`),
      rule("class", String.raw`\(def(?:record|type|protocol)\s+([^\s()\[\]]+)`),
      rule("type", String.raw`\(ns\s+(?:\^\S+\s+)?([^\s()\[\]]+)`),
      rule("variable", String.raw`\(def(?:once)?\s+(?:\^\S+\s+)?([^\s()\[\]]+)`),
    ],
  },
  bash: {
    modifier: words("export readonly"),
    rules: [
      rule("function", String.raw`function\s+([\p{L}\p{N}_:.-]+)`),
      rule("function", String.raw`([\p{L}\p{N}_:.-]+)\s*\(\s?\)`),
      rule("function", String.raw`alias\s+([\p{L}\p{N}_:.-]+)=`),
      rule("variable", `(${ID})=`, { at: "top" }),
    ],
  },
  powershell: {
    rules: [
      caselessRule(
        "function",
        String.raw`(?:function|filter)\s+(?:(?:global|script|local):)?([\p{L}\p{N}_-]+)`,
      ),
      caselessRule("class", String.raw`class\s+(${ID})`),
      caselessRule("type", String.raw`enum\s+(${ID})`),
      rule("variable", String.raw`\$(?:script:|global:)?([\p{L}_][\p{L}\p{N}_]*)\s*=`, { at: "top" }),
    ],
  },
} as const satisfies Partial<Record<LanguageName, DefinitionSyntax>>;
