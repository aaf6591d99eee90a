/** Why something is refused: the status of the answer, and its words on the wire. */
export type Reason = { status: number; error: string; message?: string };

/** Where a client reads the reason as a code, `error` is the code itself and `message` explains it to a person. */
export const coded = (status: number, code: string, message: string): Reason => ({
  status,
  error: code,
  message,
});
/** Where a client reads the reason as words, `error` is those words; `message` says more where they do not say enough. */
export const worded = (status: number, error: string, message?: string): Reason => ({
  status,
  error,
  ...(message === undefined ? {} : { message }),
});
