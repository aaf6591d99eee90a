import { removeBidiOverrides } from "#app/files/code/bidi-controls.ts";

/** A file's name or path: left to right, and without characters that would show it in another order. */
export function FileName({ name, className }: { name: string; className?: string }) {
  return (
    <bdi dir="ltr" className={className}>
      {removeBidiOverrides(name)}
    </bdi>
  );
}
