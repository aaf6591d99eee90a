import { z } from "zod";
import { isRefusal, REASONS, Refusal, type RefusalCode, type RefusalContext } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";
import { hasKey, isObject } from "#domain/typed-keys.ts";

/**
 * Schemas whose issues are refusals. An issue of zod has only a text that we can set, so the text holds the refusal: its code,
 * and its context as JSON. `checkBySchema` reads it back. No text of zod's own begins with a code.
 */
export function toRefusalText(refused: RefusalCode, context: RefusalContext = {}): string {
  return `${refused} ${JSON.stringify(context)}`;
}

/** The word for the wrong part of a value in a refusal. */
type PartName = "field" | "parameter";

/** Returns the parsed value, or a refusal of the first invalid part. */
export function checkBySchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: PartName = "field",
): z.output<Schema> | Refusal {
  const parsed = schema.safeParse(value, { error: (issue) => describeIssue(issue, part) });
  return parsed.success ? parsed.data : toRefusal(itemAt(parsed.error.issues, 0), part);
}

const KINDS = {
  ...{ string: "text", number: "a number", int: "a whole number", boolean: "true or false" },
  ...{ array: "a list", object: "an object" },
};

const UNITS: Partial<Record<string, string>> = { string: " characters", array: " elements" };
const nameField = (part: PartName, path: readonly PropertyKey[] = []) =>
  path.length > 0 ? `The ${part} “${path.join(".")}”` : "The value";

/** Returns the message for an issue whose schema has none. */
function describeIssue(issue: z.core.$ZodRawIssue, part: PartName): string {
  if (issue.code === "unrecognized_keys") return `There is no ${part} “${issue.keys[0]}” here.`;
  const field = nameField(part, issue.path);
  if (issue.code === "too_small" || issue.code === "too_big") {
    const [bound, way] = issue.code === "too_small" ? [issue.minimum, "more"] : [issue.maximum, "less"];
    const unit = UNITS[issue.origin];
    return `${field} must ${unit ? "have" : "be"} ${bound}${unit ?? ""} or ${way}.`;
  }
  if (issue.code === "invalid_value")
    return `${field} must be one of: ${issue.values.map(String).join(", ")}.`;
  if (issue.code === "invalid_type" && issue.input === undefined) return `${field} is missing.`;
  const expected = issue.code === "invalid_type" ? issue.expected : "";
  return hasKey(KINDS, expected) ? `${field} must be ${KINDS[expected]}.` : `${field} is not valid.`;
}

/** Turns an issue without a refusal code into `invalid_payload` with its field. The field's name is put before a message in lower case. */
export function toRefusal(
  { message, path }: Pick<z.core.$ZodIssue, "message" | "path">,
  part: PartName = "field",
): Refusal {
  const [code = ""] = message.split(" ", 1);
  if (hasKey(REASONS, code)) return Refusal(code, JSON.parse(message.slice(code.length)));
  const sentence = /^[a-z]/.test(message) ? `${nameField(part, path)} ${message}.` : message;
  return Refusal("invalid_payload", {
    message: sentence,
    ...(path.length > 0 ? { field: path.join(".") } : {}),
  });
}

/** Adds a rule to a schema. The value becomes what the rule returns; a refusal becomes the issue. */
export function withRule<Schema extends z.ZodType>(
  schema: Schema,
  rule: (value: z.output<Schema>) => z.output<Schema> | Refusal,
): Schema {
  return schema.check((payload) => {
    const result = rule(payload.value);
    if (!isRefusal(result)) payload.value = result;
    else
      payload.issues.push({
        code: "custom",
        input: payload.value,
        message: toRefusalText(result.refused, result.context),
      });
  });
}

/** Like `withRule`, for a rule that returns another type. */
export function transformByRule<Schema extends z.ZodType, Result>(
  schema: Schema,
  rule: (value: z.output<Schema>) => Result | Refusal,
) {
  return schema.transform((value, context): Result => {
    const result = rule(value);
    if (!isRefusal(result)) return result;
    context.addIssue({ code: "custom", message: toRefusalText(result.refused, result.context) });
    return z.NEVER;
  });
}

/** Accepts well-formed text of at most `max` code points. */
export const boundedText = (max: number) =>
  z
    .string()
    .refine((value) => value.isWellFormed() && codePoints(value) <= max, { message: "is too long" })
    .meta({ maxLength: max });

/** For an optional body: anything but an object counts as an empty object. */
export function defaultToEmptyObject<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((body) => (isObject(body) ? body : {}), schema);
}

type ListLimits = { max?: number; fits?: (element: unknown) => boolean };

/**
 * Shortens a list in an object before it is checked: to one element more than allowed, and after the first invalid one. The list
 * is still refused, but a list of a million elements makes only one issue.
 */
export function cutList(field: string, { max = Number.POSITIVE_INFINITY, fits = () => true }: ListLimits) {
  return (body: unknown): unknown => {
    if (!isObject(body) || !Array.isArray(body[field])) return body;
    const list = body[field].slice(0, max + 1);
    const misfit = list.findIndex((element) => !fits(element));
    return { ...body, [field]: misfit === -1 ? list : list.slice(0, misfit + 1) };
  };
}

/** Checks a list's length before any of its elements. */
export function createShortListSchema<Item extends z.ZodType>(
  item: Item,
  max: number,
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const short = z.preprocess((input, context) => {
    if (Array.isArray(input) && input.length > max)
      context.addIssue({ code: "custom", message: "is too long" });
    return input;
  }, z.array(item).max(max));
  // The preprocess step accepts any value; this type describes what passes the check.
  return short as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}
