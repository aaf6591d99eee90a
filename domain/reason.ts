/** A reason for refusals: the status and the words of the answer. */
export type Reason = { status: number; error: string; message?: string };

/** For reasons that clients read as a code: `error` is the code, and `message` explains it to a person. */
export const coded = (status: number, code: string, message: string): Reason => ({
  status,
  error: code,
  message,
});
/** For reasons that clients read as words: `error` is those words, and `message` adds to them if needed. */
export const worded = (status: number, error: string, message?: string): Reason => ({
  status,
  error,
  ...(message === undefined ? {} : { message }),
});
