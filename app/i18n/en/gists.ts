import { counted } from "#app/i18n/en/counted.ts";

export const gists = {
  title: "Import gists",
  lead: "Each gist becomes a folder. Gists of one file go to the folder Gists.",
  url: "Gist address",
  urlHint: "For example, https://gist.github.com/name/0123abcd",
  file: "JSON file",
  json: "Or paste JSON",
  jsonHint: "The output of gh api gists/<id>. Up to 8 MiB.",
  start: "Import",
  saved: counted("file imported", "files imported"),
  unchanged: counted("file was already here", "files were already here"),
  skipped: counted("file skipped:", "files skipped:"),
  gaps: {
    truncated: "GitHub sent only part of it.",
    no_content: "The JSON has no text for it. Import its gist alone.",
  },
};
