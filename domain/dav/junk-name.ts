/**
 * Names of files that systems and programs drop beside those of people: the Finder's and Explorer's notes on a folder, lock files of
 * office programs, swap files of vim. They never get into the library.
 */
const JUNK_NAMES: readonly RegExp[] = [
  /^\.DS_Store$/,
  /^\._./,
  /^Thumbs\.db$/i,
  /^desktop\.ini$/i,
  /^~\$./,
  /^\.~lock\..*#$/,
  /^\..*\.sw[a-z]$/,
  // Vim makes a file of this name to see whether it may write.
  /^4913$/,
];

export function isJunkName(name: string): boolean {
  return JUNK_NAMES.some((pattern) => pattern.test(name));
}
