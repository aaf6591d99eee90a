/**
 * Outside cases that are not counted, each by the short hash of its JSON and with the reason. A case stands
 * here only where the engine that recorded it differs from MongoDB's manual, or where the recording itself
 * cannot be replayed.
 */
export const SET_ASIDE: Readonly<Record<string, string>> = {
  "44649845f362": "the recorded int64 is out of range: no driver can send it",
  d7144ee11daf: "the recording lost that one of its documents holds a double",
  "578d2f8cc959":
    "MongoDB's $ne does not match an array that holds the value, and gives the positional operator no index",
  d79c67d8394d: "MongoDB refuses a product that overflows int64",
};
