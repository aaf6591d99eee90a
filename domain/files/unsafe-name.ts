/**
 * Names under which texts of others are never written to a disk. A folder of a version control system makes its next command run
 * what a stranger wrote. The command line has the same rule, and a test compares the two.
 */
const REPOSITORY = /^(\.git|git~\d+|\.hg|\.svn|\.bzr|\.jj)[. ]*(:.*)?$/i;
/** HFS+ ignores these in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export const REPOSITORY_SOURCE = REPOSITORY.source;

/** Tells whether some file system takes the name for the folder of a version control system. */
export const isRepositoryName = (name: string): boolean => REPOSITORY.test(name.replace(IGNORED, ""));
