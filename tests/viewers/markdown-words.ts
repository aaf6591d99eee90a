/** Stand-ins for the words that a rendered Markdown text has. */
export const MARKDOWN_WORDS = {
  blockedImage: "b",
  externalImage: "e",
  missingImage: "m",
  missingFile: "n",
  footnoteBack: "f",
  done: "d",
  open: "o",
};
