import { formatBytes } from "#app/web/ui/size-text.ts";

export function Bytes({ count }: { count: number }) {
  return <bdi dir="ltr">{formatBytes(count)}</bdi>;
}
