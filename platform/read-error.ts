type ErrorWords = { name?: string; message: string; code?: string };

/** What something that was thrown says of itself. Anything may be thrown, so nothing is certain but a text. */
export function readError(error: unknown): ErrorWords {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const { name, message, code }: { name?: unknown; message?: unknown; code?: unknown } = error;
  return {
    name: typeof name === "string" ? name : undefined,
    message: String(message),
    code: code === undefined ? undefined : String(code),
  };
}
