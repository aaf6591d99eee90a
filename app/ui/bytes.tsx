import { sizeText } from "#app/ui/size-text.ts";

/** A size, left to right in any text. */
export function Bytes({ count }: { count: number }) {
  return <bdi dir="ltr">{sizeText(count)}</bdi>;
}
