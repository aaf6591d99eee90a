/** Why a library is not moved, in a sentence for whoever asked for it. */
export class MoveError extends Error {
  override name = "MoveError";
}
