type ShownVersion = { id: string; version: number };

/**
 * The tag of a file's text at a version. It has the id too, because a file that was deleted and made again under its name counts
 * from 1 again. It is strong: a text is kept exactly and never changes within a version.
 */
export function createFileEtag({ id, version }: ShownVersion): string {
  return `"${id}.${version}"`;
}

const TAG = /^(W\/)?"?(?:([\w-]+)\.)?(\d{1,9})"?$/;

/**
 * Whether a list of tags names the file as it is; null stands for a file that is not there. A tag may be the bare number of a
 * version. `If-Match` takes strong tags alone.
 */
export function namesVersion(
  header: string,
  current: ShownVersion | null,
  { strong }: { strong: boolean },
): boolean {
  if (!current) return false;
  return header.split(",").some((part) => {
    if (part.trim() === "*") return true;
    const [found, weak, id = current.id, version] = TAG.exec(part.trim()) ?? [];
    return (
      found !== undefined &&
      id === current.id &&
      Number(version) === current.version &&
      !(strong && weak !== undefined)
    );
  });
}
