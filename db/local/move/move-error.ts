/** The reason why a library is not moved, as a sentence for the operator. */
export class MoveError extends Error {
  override name = "MoveError";
}
