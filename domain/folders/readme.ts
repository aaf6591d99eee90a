const NAMES = ["README", "Readme", "readme", "ReadMe"];
const ENDINGS = [".md", ".markdown", ".MD", ".txt", ".rst", ""];

/** Names of the file that describes a folder; the first that is there counts. */
export const README_NAMES: readonly string[] = ENDINGS.flatMap((ending) =>
  NAMES.map((name) => `${name}${ending}`),
);
