import type { z } from "zod";
import { formMaxBytes, parseForm } from "#app/web/door/form-fields.ts";
import { exceedsJsonLimits } from "#app/web/door/json-limits.ts";
import { type RoutePolicy, readBodyLimit } from "#app/web/door/route-policy.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { checkBySchema } from "#domain/schema.ts";

const JSON_MAX_BYTES = 1024 * 1024;
const DISCARDED_MAX_BYTES = 32 * 1024 * 1024;

/** Reads the whole body, or refuses a body that is larger than allowed; nothing is ever cut off. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | Refusal> {
  return (await collect(request, maxBytes)) ?? Refusal("payload_too_large", { max: maxBytes });
}

/**
 * Returns null for a body that is too large. The remainder is read for a while and thrown away, not cancelled: that would break the
 * connection before the client learns why.
 */
async function collect(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || length > maxBytes + DISCARDED_MAX_BYTES) break;
    length += value.byteLength;
    if (length <= maxBytes) chunks.push(value);
    else chunks.length = 0;
  }
  return length > maxBytes ? null : Buffer.concat(chunks, length);
}

/** Returns undefined for an empty body; the schema decides whether that is allowed. */
export async function readJson(request: Request, maxBytes = JSON_MAX_BYTES): Promise<unknown | Refusal> {
  const bytes = await readBytes(request, maxBytes);
  if (isRefusal(bytes)) return bytes;
  if (bytes.byteLength === 0) return undefined;
  if (exceedsJsonLimits(bytes))
    return Refusal("invalid_payload", { message: "The JSON has too many values or is nested too deeply." });
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return Refusal("invalid_payload", { message: "The body is not valid JSON." });
  }
}

export type FormFields = Record<string, FormDataEntryValue | FormDataEntryValue[]>;

/** Reads the form's fields by name; a name sent several times has all its values, in order. */
export async function readFields(request: Request, maxBytes: number): Promise<FormFields | Refusal> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const bytes = await readBytes(request, formMaxBytes(contentType, maxBytes));
  if (isRefusal(bytes)) return bytes;
  const fields = parseForm(bytes, contentType);
  if (isRefusal(fields)) return fields;
  const byName = Map.groupBy(fields, ({ name }) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, same]) => {
      const values = same.map(({ value }) => value);
      return [name, values.length === 1 ? itemAt(values, 0) : values];
    }),
  );
}

/** Reads a form by the schema, no larger than the route's handle allows. */
export async function readForm<Schema extends z.ZodType>(
  { request, context }: { request: Request; context: { policy: RoutePolicy } },
  schema: Schema,
): Promise<z.output<Schema> | Refusal> {
  const fields = await readFields(request, readBodyLimit(context.policy));
  return isRefusal(fields) ? fields : checkBySchema(schema, fields);
}
