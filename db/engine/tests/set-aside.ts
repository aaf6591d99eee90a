/**
 * Outside cases that are not counted, each by the short hash of its JSON and with the reason. A case stands
 * here only where the engine that recorded it differs from MongoDB's manual, where the recording itself cannot
 * be replayed, or where this engine refuses what MongoDB answers.
 */
export const SET_ASIDE: Readonly<Record<string, string>> = {
  f81ab568df6a: "no $or gives the positional operator an index here: the update is refused",
  "578d2f8cc959":
    "MongoDB's $ne does not match an array that holds the value, and gives the positional operator no index",
  "6c6939b3f8e8": "the recording wrote a double as an int64",
  "2fe87e7eeb17": "the recording lost the date that overflows",
  "39d5381252b3": "the recording lost the date that overflows",
  "8200f69f36a7": "the recording lost the date that overflows",
};
