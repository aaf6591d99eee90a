type ErrorWords = { name?: string; message: string; code?: string };

/** Reads name, message and code of anything that was thrown. Only a message is certain. */
export function readError(error: unknown): ErrorWords {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const { name, message, code }: { name?: unknown; message?: unknown; code?: unknown } = error;
  return {
    name: typeof name === "string" ? name : undefined,
    message: String(message),
    code: code === undefined ? undefined : String(code),
  };
}
