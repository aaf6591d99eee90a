import type { Schema, Schemas } from "./schema-fields.server.ts";

type Call = {
  method: string;
  path: string;
  access: "public" | "user" | "admin";
  parameters: readonly { name: string; in: string; required: boolean }[];
  body: { type: string; schema: Schema } | null;
  answerType: string | null;
};

const ACCESS = {
  public: [],
  user: ['-H "Authorization: Bearer $TOKEN"'],
  admin: ['-b "session=$SESSION"'],
};

/** A shell reads `$PATH` as its own variable. */
const toShellVariable = (name: string) => (name === "path" ? "$FILE_PATH" : `$${name.toUpperCase()}`);

/** Writes a curl command in two parts around the server's address. Values that a caller fills in are shell variables. */
export function toCurlCommand(call: Call, schemas: Schemas): { options: string; address: string } {
  const { method, path, access, parameters, body, answerType } = call;
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const address = path.replace(/\{(\w+)\}/g, (_, name) => toShellVariable(name));
  const search = query.map(({ name }) => `${name}=${toShellVariable(name)}`).join("&");
  const isUsual =
    method === "GET" || (method === "POST" && body) || body?.type === "application/octet-stream";
  const options = [
    "curl",
    ...ACCESS[access],
    ...(isUsual ? [] : [`-X ${method}`]),
    ...(body ? toBodyOptions(body, schemas) : []),
    ...(answerType === "application/zip" ? ["-OJ"] : []),
  ].join(" ");
  return { options, address: `${address}${search && `?${search}`}` };
}

function toBodyOptions({ type, schema }: { type: string; schema: Schema }, schemas: Schemas): string[] {
  if (type === "multipart/form-data") return ["-F files=@hello.py"];
  if (type !== "application/json") return ["-T hello.py"];
  const sample = JSON.stringify(createSample(schema, schemas)).replaceAll("'", "'\\''");
  return ["-H 'Content-Type: application/json'", `-d '${sample}'`];
}

function createSample(schema: Schema, schemas: Schemas): unknown {
  if (schema.$ref !== undefined)
    return createSample(schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {}, schemas);
  const fixedValue = schema.const ?? schema.enum?.[0] ?? schema.default;
  if (fixedValue !== undefined) return fixedValue;
  if (schema.anyOf?.[0]) return createSample(schema.anyOf[0], schemas);
  if (schema.properties) return createObject(schema, schemas);
  if (schema.items) return [createSample(schema.items, schemas)];
  return (
    { boolean: true, integer: schema.minimum ?? 1, number: schema.minimum ?? 1 }[String(schema.type)] ?? "…"
  );
}

function createObject({ properties = {}, required = [] }: Schema, schemas: Schemas): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, createSample(properties[name] ?? {}, schemas)]));
}
