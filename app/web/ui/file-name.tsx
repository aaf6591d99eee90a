import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";

/** A file's name or path: left to right, without characters that would reorder it. */
export function FileName({ name, className }: { name: string; className?: string }) {
  return (
    <bdi dir="ltr" className={className}>
      {removeBidiOverrides(name)}
    </bdi>
  );
}
