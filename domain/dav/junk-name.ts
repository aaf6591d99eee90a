/**
 * Names of files that systems and programs drop beside those of people: the Finder's and Explorer's notes on a folder, lock files of
 * office programs, swap files and backups of editors. They never get into the library.
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
  /.~$/,
  /.___jb_(?:tmp|old|bak)___$/,
  // Emacs' locks and what it saves by itself.
  /^\.#./,
  /^#.*#$/,
];

/** People keep such files, but what an editor moves to such a name is what it saved before. */
const BACKUP = /.\.bak$/i;

export function isJunkName(name: string): boolean {
  return JUNK_NAMES.some((pattern) => pattern.test(name));
}

export const isBackupName = (name: string): boolean => isJunkName(name) || BACKUP.test(name);
