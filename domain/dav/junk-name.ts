/**
 * Files that systems and programs create beside the user's own: folder notes of Finder and Explorer, lock files of office programs,
 * swap files and backups of editors. They never get into the library.
 */
const JUNK_NAMES: readonly RegExp[] = [
  /^\.DS_Store$/,
  /^\._./,
  /^Thumbs\.db$/i,
  /^desktop\.ini$/i,
  /^~\$./,
  /^\.~lock\..*#$/,
  /^\..*\.sw[a-z]$/,
  // Vim creates this file to test whether the folder is writable.
  /^4913$/,
  /.~$/,
  /.___jb_(?:tmp|old|bak)___$/,
  // Emacs' locks and automatic saves.
  /^\.#./,
  /^#.*#$/,
];

/** People store such files too, but an editor that moves a file to such a name makes a backup of it. */
const BACKUP = /.\.bak$/i;

export function isJunkName(name: string): boolean {
  return JUNK_NAMES.some((pattern) => pattern.test(name));
}

export const isBackupName = (name: string): boolean => isJunkName(name) || BACKUP.test(name);
