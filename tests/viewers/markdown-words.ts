/** Stand-ins for the words of a rendered Markdown text. */
export const MARKDOWN_WORDS = {
  blockedImage: "b",
  externalImage: "e",
  missingImage: "m",
  missingFile: "n",
  footnoteBack: "f",
  done: "d",
  open: "o",
};
