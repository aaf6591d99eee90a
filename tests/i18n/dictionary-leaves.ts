type Leaf = [path: string, value: unknown];

export function leaves(value: unknown, path = ""): Leaf[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, part]) => leaves(part, path ? `${path}.${key}` : key));
}

/** Calls a dictionary's function with a count, and with names if it takes more. */
export function said(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "function") return null;
  try {
    return String(value(3, 4, 5));
  } catch {
    return null;
  }
}
