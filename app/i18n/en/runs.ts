/** The words for running a file and for the results that are kept beside it. */
export const runs = {
  title: "Runs",
  runVersion: (version: number) => `Run version ${version}`,
  keep: "Save output",
  keepTitle: "Run outputs",
  keepOn: "Save",
  keepOff: "Don’t save",
  kept: "Saved outputs",
  barred: {
    premium: "Ask your administrator to enable running.",
    disabled: "Running code is turned off on this server.",
    too_large: "This file is too large to run. The limit is 50 KiB.",
  },
  unkeptFull: "Not saved: your library is full.",
  unkept: "Not saved",
  keeping: (days: number, count: number) =>
    `The last ${count} outputs of each file are saved for ${days} days. Only you can see them.`,
  keepingNot: "Outputs are not saved.",
  forget: "Delete outputs",
  stopKeeping: "Stop saving outputs",
  keepAgain: "Save outputs",
};
