import type { LanguageName } from "#domain/files/language.ts";
import { type DefinitionSyntax, ID, rule, TYPE, words } from "#domain/search/definition-rule.ts";

const NO_NAME =
  "(?!(?:if|for|foreach|while|switch|catch|return|with|else|new|throw|do|case|await|yield|using|lock|super|function|typedef|goto|delete|assert|import|package|in|when|match|guard|elsif|unless|until|print|echo|raise|try|from)\\b)";
const CALLBACK = /=>\s?\{$|\bfunction\b/u;

export const JAVASCRIPT_RULES = [
  rule("function", String.raw`(?:default\s+)?(?:async\s+)?function\s*\*?\s*(${ID})`),
  rule("class", String.raw`(?:default\s+)?(?:abstract\s+)?class\s+(?!extends\b)(${ID})`),
  rule("type", String.raw`(?:const\s+)?(?:interface|enum)\s+(${ID})`),
  rule("type", String.raw`type\s+(${ID})\s*[=<]`),
  rule("type", String.raw`(?:namespace|module)\s+(${ID})[\p{L}\p{N}_$.\s]*\{`),
  rule(
    "function",
    String.raw`(?:const|let|var)\s+(${ID})\s*(?::[^=]*)?=\s*(?:async\b\s*)?(?:function\b|${ID}\s*=>|\(.*=>|[(<]$)`,
  ),
  rule("variable", String.raw`(?:const|let|var)\s+(${ID})`, { at: "top" }),
  rule("variable", String.raw`(default)\s`, { at: "top", modified: true }),
  rule("function", String.raw`#?(${ID})\s*[=:]\s*(?:async\b\s*)?(?:function\b|\(.*=>|${ID}\s*=>)`, {
    at: "inner",
  }),
  rule("function", String.raw`\*?\s?${NO_NAME}(#?${ID})\s*[(<]`, {
    at: "inner",
    ends: "{",
    without: CALLBACK,
  }),
  // A method on one line. Text in JSX may contain a word, a blank, parentheses and braces.
  rule("function", String.raw`\*?\s?${NO_NAME}(#?${ID})(?:<[^()]*>)?\([^;]*\)\s*(?::[^{}()=;]*)?\{.*\}$`, {
    at: "inner",
    without: CALLBACK,
  }),
  rule("function", String.raw`(${ID})\s*[(<]`, { at: "inner", modified: true }),
  rule("variable", String.raw`(${ID})\s*[:=;?!]`, { at: "inner", modified: true }),
];
const JAVASCRIPT: DefinitionSyntax = {
  modifier: words(
    "export declare async abstract public private protected static readonly override get set accessor",
  ),
  rules: JAVASCRIPT_RULES,
};

const C_RULES = [
  rule("variable", String.raw`#\s*define\s+(${ID})`),
  rule("class", String.raw`(?:typedef\s+)?(?:struct|union|class)\s+(${ID})\s*(?:final\s*)?(?:[:{]|$)`),
  rule("type", String.raw`(?:typedef\s+)?enum\s+(?:(?:class|struct)\s+)?(${ID})\s*(?:[:{]|$)`),
  rule("type", String.raw`namespace\s+(${ID})`),
  rule("type", String.raw`using\s+(${ID})\s*=`),
  rule("type", String.raw`typedef\s.*[\s*](${ID})\s*;`),
  rule("type", String.raw`\}\s*(${ID})\s*;`, { at: "top" }),
  rule("function", String.raw`${NO_NAME}[\p{L}\p{N}_:<>*&, ]*::(~?${ID})\s*\(`, { endsNot: ";" }),
  rule("function", String.raw`${NO_NAME}${TYPE}(${ID})\s*\(`, { at: "top" }),
  rule("function", String.raw`${NO_NAME}${TYPE}(${ID})\s*\(`, { at: "inner", endsNot: ";" }),
];

const JAVA_METHODS = [
  rule("function", String.raw`(${ID})\s*\(`, { modified: true }),
  rule("function", String.raw`${NO_NAME}${TYPE}(${ID})\s*\(`),
  rule("function", String.raw`<[^>]*>\s*${TYPE}(${ID})\s*\(`),
];

const KOTLIN_WORDS =
  "public private protected internal open abstract sealed data inner annotation value inline suspend override operator infix tailrec lateinit const companion external expect actual final enum";
const ANNOTATION = String.raw`@[\p{L}\p{N}_.]+(?:\([^)]*\))?`;

/** Languages with functions and classes in braces. */
export const BRACE_PATTERNS = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  go: {
    rules: [
      rule("function", String.raw`func\s+(?:\([^)]*\)\s*)?(${ID})`),
      rule("class", String.raw`type\s+(${ID})(?:\[[^\]]*\])?\s+struct\b`),
      rule("type", String.raw`type\s+(${ID})`),
      rule("variable", String.raw`(?:const|var)\s+(${ID})`, { at: "top" }),
    ],
  },
  rust: {
    modifier:
      /^(?:pub(?:\([^)]*\))?|async|unsafe|default|extern(?:\s+"[^"]*")?|const(?=\s+(?:fn|unsafe|async)\b))\s+/u,
    rules: [
      rule("function", String.raw`(?:fn|macro_rules!)\s+(${ID})`),
      rule("class", String.raw`(?:struct|union)\s+(${ID})`),
      rule("type", String.raw`(?:enum|trait|type|mod)\s+(${ID})`),
      rule("class", String.raw`impl\b(?:\s*<[^>]*>)?\s+(?:.*\sfor\s+)?&?(${ID})`),
      rule("variable", String.raw`(?:const|static)\s+(?:mut\s+)?(${ID})\s*:`),
    ],
  },
  java: {
    modifier: new RegExp(
      String.raw`^(?:public|private|protected|static|final|abstract|synchronized|native|default|sealed|non-sealed|transient|volatile|${ANNOTATION})\s+`,
      "u",
    ),
    rules: [
      rule("class", String.raw`(?:class|record)\s+(${ID})`),
      rule("type", String.raw`@?(?:interface|enum)\s+(${ID})`),
      ...JAVA_METHODS,
      rule("variable", String.raw`${NO_NAME}${TYPE}(${ID})\s*[=;]`, { modified: true }),
    ],
  },
  csharp: {
    modifier: words(
      "public private protected internal static readonly sealed abstract virtual override async partial extern unsafe new const volatile required file ref",
    ),
    rules: [
      rule("class", String.raw`(?:class|record\s+class|record\s+struct|record|struct)\s+(${ID})`),
      rule("type", String.raw`(?:interface|enum)\s+(${ID})`),
      rule("type", String.raw`namespace\s+([\p{L}\p{N}_.]+)`),
      ...JAVA_METHODS,
      rule("variable", String.raw`${NO_NAME}${TYPE}(${ID})\s*(?:[{=;]|$)`, { modified: true }),
    ],
  },
  groovy: {
    modifier: words("public private protected static final abstract def"),
    rules: [
      rule("class", String.raw`class\s+(${ID})`),
      rule("type", String.raw`(?:interface|trait|enum)\s+(${ID})`),
      rule("target", String.raw`task\s+(${ID})`),
      ...JAVA_METHODS,
      rule("variable", String.raw`(${ID})\s*=`, { at: "top" }),
    ],
  },
  dart: {
    modifier: new RegExp(
      String.raw`^(?:static|final|const|abstract|late|external|factory|base|sealed|covariant|${ANNOTATION})\s+`,
      "u",
    ),
    rules: [
      rule("class", String.raw`(?:mixin\s+)?class\s+(${ID})`),
      rule("type", String.raw`(?:mixin|enum|extension|typedef)\s+(${ID})`),
      rule("function", String.raw`(?:${TYPE})?(?:get|set)\s+(${ID})\s*(?:=>|[({])`),
      ...JAVA_METHODS,
      rule("function", String.raw`${NO_NAME}(${ID})\s*\(`, { ends: "{", without: /\(\(|, \(|=>\s?\{$/u }),
      rule("variable", String.raw`${TYPE}(${ID})\s*[=;]`, { at: "top", modified: true }),
      rule("variable", String.raw`(${ID})\s*=`, { at: "top", modified: true }),
    ],
  },
  kotlin: {
    modifier: new RegExp(String.raw`^(?:${KOTLIN_WORDS.replaceAll(" ", "|")}|${ANNOTATION})\s+`, "u"),
    rules: [
      rule("function", String.raw`fun\s+(?:<[^>]*>\s*)?(?:[\p{L}\p{N}_.<>?]*\.)?(${ID})\s*\(`),
      rule("class", String.raw`(?:class|object)\s+(${ID})`),
      rule("class", String.raw`(object)\s*(?:[:{]|$)`, { modified: true }),
      rule("type", String.raw`(?:fun\s+)?(?:interface|typealias)\s+(${ID})`),
      rule("variable", String.raw`va[lr]\s+(${ID})`, { at: "top" }),
      rule("variable", String.raw`va[lr]\s+(${ID})`, { modified: true }),
    ],
  },
  swift: {
    modifier:
      /^(?:public|private|fileprivate|internal|open|static|final|override|mutating|nonmutating|async|lazy|weak|required|convenience|indirect|class(?=\s+(?:func|var)\b)|@[\p{L}\p{N}_]+(?:\([^)]*\))?)\s+/u,
    rules: [
      rule("function", String.raw`func\s+(${ID})`),
      rule("function", String.raw`(init|deinit)\b[?!]?\s*[(<{]`),
      rule("class", String.raw`(?:class|struct|actor|extension)\s+(${ID})`),
      rule("type", String.raw`(?:enum|protocol|typealias)\s+(${ID})`),
      rule("variable", String.raw`(?:let|var)\s+(${ID})`, { at: "top" }),
      rule("variable", String.raw`(?:let|var)\s+(${ID})`, { modified: true }),
    ],
  },
  scala: {
    modifier:
      /^(?:private|protected|implicit|lazy|override|final|sealed|abstract|case|inline|opaque|open)(?:\[[^\]]*\])?\s+/u,
    rules: [
      rule("function", String.raw`def\s+(${ID})`),
      rule("class", String.raw`(?:class|object|trait)\s+(${ID})`),
      rule("type", String.raw`(?:type|enum|given)\s+(${ID})`),
      rule("variable", String.raw`va[lr]\s+(${ID})`, { at: "top" }),
      rule("variable", String.raw`va[lr]\s+(${ID})`, { modified: true }),
    ],
  },
  c: { rules: C_RULES },
  cpp: {
    modifier: words("static inline virtual explicit constexpr extern friend"),
    rules: [...C_RULES, rule("function", String.raw`(${ID})\s*\(`, { modified: true, endsNot: ";" })],
  },
  objectivec: {
    rules: [
      rule("class", String.raw`@(?:interface|implementation|protocol)\s+(${ID})`),
      rule("function", String.raw`[-+]\s*\([^)]*\)\s*(${ID})`),
      ...C_RULES,
    ],
  },
  php: {
    modifier: words("public private protected static abstract final readonly"),
    rules: [
      rule("function", String.raw`function\s+&?\s*(${ID})`),
      rule("class", String.raw`(?:class|trait)\s+(${ID})`),
      rule("type", String.raw`(?:interface|enum)\s+(${ID})`),
      rule("type", String.raw`namespace\s+([\p{L}\p{N}_\\]+)`),
      rule("variable", String.raw`const\s+(${ID})`),
      rule("variable", String.raw`define\(\s*["'](${ID})`),
    ],
  },
} as const satisfies Partial<Record<LanguageName, DefinitionSyntax>>;
