import { useText } from "#app/i18n/text.ts";

type Progress = { progress: number; total_items: number | null; processed_items: number };

export function RunProgress({ run: { progress, total_items, processed_items } }: { run: Progress }) {
  const text = useText().jobs;
  if (total_items === null)
    return processed_items > 0 ? <span>{text.processed(processed_items)}</span> : null;
  return (
    <>
      <progress value={progress} max={100} aria-label={text.progress} />
      <span>{text.processedAmong(processed_items, total_items)}</span>
    </>
  );
}
