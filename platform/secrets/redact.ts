/**
 * Removes secrets. Everything that the product sends out by itself (logs, events, the primer, questions to a provider and explanations of
 * code) passes through this function. In doubt it keeps code readable: `token = get_token()` is no secret, `token = "8f3…"` is one.
 */
const SECRET_KEY = /token|passw(or)?d|secret|authorization|cookie|api_?key|private_?key|credential/i;
const MAX_DEPTH = 6;

export const REDACTED = "[redacted]";

// A word in a name whose value is a secret.
const WORD =
  "(?:passw(?:or)?d|pwd|passphrase|secret|token(?!s)|api[_-]?key|private[_-]?key|access[_-]?key|secret[_-]?key|auth[_-]?key|credential|client[_-]?secret)";
const NAME = `[\\w.-]{0,40}${WORD}[\\w-]{0,20}`;

/** Secrets that are recognised by their form alone. */
const TOKENS = [
  /cs_[\w-]{43}/,
  /gh[pousr]_[A-Za-z0-9]{30,255}/,
  /github_pat_\w{22,255}/,
  /glpat-[\w-]{20,100}/,
  /xox[abeoprs]-[\w-]{10,250}/,
  /xapp-[\w-]{20,250}/,
  /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}/,
  /whsec_[\w+/=]{24,100}/,
  /sk-[A-Za-z0-9][\w-]{18,250}/,
  /(?:AKIA|ASIA)[0-9A-Z]{16}/,
  /AIza[\w-]{35}/,
  /ya29\.[\w-]{20,500}/,
  /GOCSPX-[\w-]{20,60}/,
  /npm_[A-Za-z0-9]{36}/,
  /pypi-[\w-]{50,250}/,
  /SG\.[\w-]{16,64}\.[\w-]{16,64}/,
  /SK[0-9a-f]{32}/,
  /do[opr]_v1_[0-9a-f]{64}/,
  /hf_[A-Za-z0-9]{30,60}/,
  /hv[sb]\.[\w-]{20,250}/,
  /shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}/,
  /dapi[0-9a-f]{32}/,
  /lin_api_[A-Za-z0-9]{32,64}/,
  /AGE-SECRET-KEY-1[0-9A-Z]{50,64}/,
  /\d{8,10}:[\w-]{35}/,
  /eyJ[\w-]{8,2000}\.eyJ[\w-]{4,8000}\.[\w-]{0,2000}/,
]
  .map(({ source }) => source)
  .join("|");

/** Texts in the position of a secret that are none: references, placeholders, empty marks. */
const PLACEHOLDER =
  /^(?:\$|\{\{|<|%\(|%s|\*+$|\.{3}|x{3,}$|your|change|example|none$|null$|true$|false$|\[redacted\])/i;
/** A word without quotes counts as a secret if it mixes letters with digits or signs, which names of variables and types rarely do. */
const isMixed = (value: string) =>
  /[a-z]/i.test(value) && /\d/.test(value) && !/^[\w.]*[(.[]|^sha\d|^utf|^v\d+$/i.test(value);

type Rule = { pattern: RegExp; keep: (whole: string, ...groups: string[]) => string };
const hide = (before: string, secret: string, after = "") =>
  PLACEHOLDER.test(secret) ? before + secret + after : before + REDACTED + after;

const RULES: readonly Rule[] = [
  // Errors of stores and parsers quote the text that they could not read, which is a person's own.
  { pattern: /(\bdup key: )\{[^\n]*/g, keep: (_, prefix) => prefix + REDACTED },
  {
    pattern: /(Unexpected [^"\n]{1,60}, )(?:\.{3})?"[\s\S]{0,200}?"(?:\.{3})?( is not valid JSON)/g,
    keep: (_, prefix, end) => prefix + REDACTED + end,
  },
  {
    pattern: /(invalid input (?:syntax|value) for [\w ]{1,60}: )"[^\n]*"/g,
    keep: (_, prefix) => prefix + REDACTED,
  },
  {
    // Extends to its end mark, or to the end of a text that was cut.
    pattern:
      /-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$(?![\s\S]))/g,
    keep: () => REDACTED,
  },
  { pattern: new RegExp(`(?<![\\w-])(?:${TOKENS})(?![\\w])`, "g"), keep: () => REDACTED },
  {
    pattern: /\b([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'<>`]{1,400})@/gi,
    keep: (_, scheme, who) =>
      who.includes(":") || !/^git$/i.test(who) ? `${scheme}${REDACTED}@` : `${scheme}${who}@`,
  },
  {
    pattern: /(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{10,200}/gi,
    keep: (_, place) => place + REDACTED,
  },
  {
    pattern: /\b((?:Bearer|Basic)\s{1,4})([\w.~+/-]{12,4000}={0,2})/gi,
    keep: (_, scheme, secret) => (/[\d+/=]|[a-z][A-Z]/.test(secret) ? hide(scheme, secret) : scheme + secret),
  },
  {
    pattern: /((?<![\w-])(?:set-)?cookie:[ \t]{0,4})([\w.-]{1,100}=[^\r\n"']{1,4000})/gi,
    keep: (_, header) => header + REDACTED,
  },
  {
    pattern:
      /((?:authorization|x-api-key|x-auth-token)["']?:[ \t]{0,4}["']?)((?:\w{1,20} )?[^\s"',]{6,4000})/gi,
    keep: (match, header, secret) => (/[({]/.test(secret) ? match : hide(header, secret)),
  },
  {
    // In quotes after its name: "password": "…", token = '…'.
    pattern: new RegExp(
      `((?<![\\w.-])${NAME}["'\`]?\\s{0,4}(?::=|=>|[:=])\\s{0,4})(["'\`])([^"'\`\\r\\n]{4,4000})\\2`,
      "gi",
    ),
    keep: (_, name, quote, secret) => hide(name + quote, secret, quote),
  },
  {
    // A parameter of an address, or an option of a command.
    pattern: new RegExp(`([?&]${NAME}=|--${NAME}[= ])([^\\s"'\`&#;$<{(-][^\\s"'\`&#;]{2,2000})`, "gi"),
    keep: (_, name, secret) => hide(name, secret),
  },
  {
    // A line of an environment: a name in capitals, without spaces around the sign.
    pattern:
      /((?<![\w.-])[A-Z0-9_]{0,40}(?:PASSW(?:OR)?D|PWD|PASSPHRASE|SECRET|TOKEN|KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=)([^\s"'`]{3,4000})/g,
    keep: (match, name, secret) => (/^[\w.]+[([]/.test(secret) ? match : hide(name, secret)),
  },
  {
    // A whole line of a settings file.
    pattern: new RegExp(`^([ \\t]{0,8}${NAME}=)([^\\s"'\`,;(){}\\[\\]]{3,2000})$`, "gim"),
    keep: (match, name, secret) => (name.trim() === `${secret}=` ? match : hide(name, secret)),
  },
  {
    pattern: new RegExp(
      `((?<![\\w.-])${NAME}["']?[ \\t]{0,4}[:=][ \\t]{0,4})([^\\s"'\`,;(){}\\[\\]<>=]{6,2000})(?![\\w(\\[.])`,
      "gi",
    ),
    keep: (match, name, secret) => (isMixed(secret) ? hide(name, secret) : match),
  },
];

/**
 * Returns a copy that is safe to send out: secrets in texts and values under secret keys are replaced, errors become plain
 * objects, and cycles or very deep values end in a mark.
 */
export function redact<Text extends string>(value: Text): string;
export function redact<Value>(value: Value, depth?: number): Value;
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[deep]";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactObject(value, depth);
}

// A secret with its mark is never shorter.
const LENGTH_MIN = 10;

function redactText(text: string): string {
  if (text.length < LENGTH_MIN) return text;
  return RULES.reduce((safe, { pattern, keep }) => safe.replace(pattern, keep), text);
}

function redactObject(value: object, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    safe[key] = SECRET_KEY.test(key) ? REDACTED : redact(item, depth + 1);
  }
  return safe;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const message = redact(error.message);
  return {
    name: error.name,
    message,
    // The first line of a stack quotes the message, where rules for complete lines would not match.
    stack: redact(
      error.stack?.replace(error.message, () => message),
      depth + 1,
    ),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
