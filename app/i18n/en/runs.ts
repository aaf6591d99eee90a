/** The words for running a file and for the results that are kept beside it. */
export const runs = {
  title: "Runs",
  runVersion: (version: number) => `Run version ${version}`,
  keep: "Keep the result",
  keepTitle: "Results of runs",
  keepOn: "Keep them",
  keepOff: "Do not keep them",
  kept: "Results of runs",
  barred: {
    premium: "Running Python needs a premium account.",
    disabled: "Running code is switched off on this server.",
    too_large: "This file is too large to run: 50 KiB of Python at most.",
  },
  unkeptFull: "Not saved: your library is full. This output is gone when you leave the page.",
  unkept: "This result is not kept: it is gone when you leave the page.",
  keeping: (days: number, count: number) =>
    `Results of running a Python file are kept for ${days} days, the last ${count} of each file. Only you see them.`,
  keepingNot: "Results are not kept unless you ask for it.",
  forget: "Delete these results",
  stopKeeping: "Stop keeping results",
  keepAgain: "Keep results again",
};
