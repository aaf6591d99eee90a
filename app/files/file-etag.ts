type ShownVersion = { id: string; version: number };

/**
 * A file version's ETag. It includes the id, because a file that was deleted and created again under the same name starts at version 1. It
 * is strong: a text is stored exactly and never changes within a version.
 */
export function createFileEtag({ id, version }: ShownVersion): string {
  return `"${id}.${version}"`;
}

const TAG = /^(W\/)?"?(?:([\w-]+)\.)?(\d{1,9})"?$/;

/** True if a list of ETags names the current file. A bare version number counts as an ETag. `If-Match` accepts only strong ones. */
export function hasMatchingEtag(
  header: string,
  current: ShownVersion | null,
  { strong }: { strong: boolean },
): boolean {
  if (!current) return false;
  return header.split(",").some((part) => {
    if (part.trim() === "*") return true;
    const [tag, weak, id = current.id, version] = TAG.exec(part.trim()) ?? [];
    return (
      tag !== undefined &&
      id === current.id &&
      Number(version) === current.version &&
      !(strong && weak !== undefined)
    );
  });
}
