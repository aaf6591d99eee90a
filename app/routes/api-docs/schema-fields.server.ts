/** Lists the fields of a JSON Schema for readers: one line for each, with nested fields by their path. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};
export type Schemas = Record<string, Schema>;

/** `shape` is the named shape of the field, described on its own. */
export type Field = {
  name: string;
  type: string;
  shape: string | null;
  required: boolean;
  limits: string;
  meaning: string;
};

const readName = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);
/** A named simple type is replaced by that type; only a named object is a shape. */
export const isShape = ({ properties }: Schema) => properties !== undefined;

export function listFields(schema: Schema, schemas: Schemas, prefix = ""): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const nested = findNested(field);
    return [
      describeField(path, field, required.includes(name), schemas),
      ...(nested ? listFields(nested.schema, schemas, `${path}${nested.suffix}.`) : []),
    ];
  });
}

export function describeField(name: string, field: Schema, required: boolean, schemas: Schemas): Field {
  const resolvedField = resolveReference(field, schemas);
  return {
    name,
    type: describeType(field, schemas),
    shape: findShapeName(field, schemas),
    required,
    limits: describeLimits(resolvedField).join(" · "),
    meaning: resolvedField.description ?? "",
  };
}

/** Finds the object inside a field that has no name of its own. */
function findNested(field: Schema): { schema: Schema; suffix: string } | null {
  if (isShape(field)) return { schema: field, suffix: "" };
  if (field.items) {
    const inner = findNested(field.items);
    return inner && { ...inner, suffix: `[]${inner.suffix}` };
  }
  return (field.anyOf ?? []).map(findNested).find((inner) => inner !== null) ?? null;
}

function resolveReference(field: Schema, schemas: Schemas): Schema {
  if (field.$ref === undefined) {
    const only = (field.anyOf ?? []).filter(({ type }) => type !== "null");
    return only.length === 1 && only[0] ? { ...resolveReference(only[0], schemas), ...field } : field;
  }
  const namedSchema = schemas[readName(field.$ref)] ?? {};
  return isShape(namedSchema) ? field : { ...namedSchema, ...field };
}

function findShapeName(field: Schema, schemas: Schemas): string | null {
  if (field.$ref !== undefined) {
    const name = readName(field.$ref);
    return isShape(schemas[name] ?? {}) ? name : null;
  }
  const inside = [field.items, ...(field.anyOf ?? [])].filter((part) => part !== undefined);
  return inside.map((part) => findShapeName(part, schemas)).find((name) => name !== null) ?? null;
}

function describeType(field: Schema, schemas: Schemas): string {
  if (field.$ref !== undefined) {
    const name = readName(field.$ref);
    const namedSchema = schemas[name] ?? {};
    return isShape(namedSchema) ? name : describeType(namedSchema, schemas);
  }
  if (field.anyOf) return [...new Set(field.anyOf.map((part) => describeType(part, schemas)))].join(" or ");
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.items) {
    const element = describeType(field.items, schemas);
    return `list of ${element}`;
  }
  return [field.type ?? "any value"].flat().join(" or ");
}

/** A bound beyond every safe integer is not shown. */
const isBound = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function describeRange(from: number | undefined, to: number | undefined, unit: string): string[] {
  const [low, high] = [isBound(from) ? from : undefined, isBound(to) ? to : undefined];
  if (low === undefined && high === undefined) return [];
  if (low === undefined) return [`up to ${high}${unit}`];
  return [high === undefined ? `${low}${unit} or more` : `${low} to ${high}${unit}`];
}

/** Describes the format of a text. A well-known format says more than its pattern. */
function describeFormat({ format, pattern }: Schema): string[] {
  if (format === "date-time") return ["date and time (ISO 8601)"];
  return pattern === undefined ? [] : [`matches ${pattern}`];
}

function describeLimits(field: Schema): string[] {
  return [
    ...(field.enum ? [`one of: ${field.enum.map(String).join(", ")}`] : []),
    ...describeRange(field.minimum, field.maximum, ""),
    ...describeRange(field.minLength, field.maxLength, " characters"),
    ...describeRange(field.minItems, field.maxItems, " elements"),
    ...describeFormat(field),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
  ];
}
