/**
 * Names under which texts of others are never written to a disk: in a folder of a version control system, its next command
 * would run a stranger's code.
 */
const REPOSITORY = /^(\.git|git~\d+|\.hg|\.svn|\.bzr|\.jj)[. ]*(:.*)?$/i;
/** HFS+ ignores these in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** True if some file system treats the name as the folder of a version control system. */
export const isRepositoryName = (name: string): boolean => REPOSITORY.test(name.replace(IGNORED, ""));

/** Devices of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

export const isDeviceName = (name: string): boolean => DEVICE.test(name);
