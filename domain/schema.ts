import type { z } from "zod";
import { isRefusal, REASONS, Refusal, type RefusalCode, type RefusalContext } from "#domain/refusal.ts";

/**
 * Schemas whose issues say why the product says no. An issue of zod has a text and nothing else that every kind of it carries,
 * so the text is the refusal: its code, and its context as JSON. `checkBySchema` reads it back. No text of zod's own begins with a code.
 */
export function refuseWith(refused: RefusalCode, context: RefusalContext = {}): string {
  return `${refused} ${JSON.stringify(context)}`;
}

/** What the schema makes of a value, or the refusal of the first part that does not fit. */
export function checkBySchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> | Refusal {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : toRefusal(parsed.error.issues[0]!);
}

/** An issue without a code of its own is an invalid payload, told with the field it is about. */
export function toRefusal({ message, path }: Pick<z.core.$ZodIssue, "message" | "path">): Refusal {
  const [code = ""] = message.split(" ", 1);
  if (Object.hasOwn(REASONS, code))
    return Refusal(code as RefusalCode, JSON.parse(message.slice(code.length)) as RefusalContext);
  return Refusal("invalid_payload", path.length > 0 ? { message, field: path.join(".") } : { message });
}

/** The schema with a rule of the product behind it: what the rule makes of a value is kept, and its refusal is the issue. */
export function withRule<Schema extends z.ZodType>(
  schema: Schema,
  rule: (value: z.output<Schema>) => z.output<Schema> | Refusal,
): Schema {
  return schema.check((payload) => {
    const result = rule(payload.value as z.output<Schema>);
    if (!isRefusal(result)) payload.value = result;
    else
      payload.issues.push({
        code: "custom",
        input: payload.value,
        message: refuseWith(result.refused, result.context),
      });
  });
}
