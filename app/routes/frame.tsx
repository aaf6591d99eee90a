import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/frame/offline.css?url";

export const handle: PageHandle = { title: (text) => text.offline.waiting, isFrameAlone: true };

export const links = linkSheets(styles);

/** Shown by the service worker at the address of a page that loads slowly, until `enhance/offline/frame.ts` opens it. */
export default function WaitingFrame() {
  const text = useText().offline;
  return (
    <div className="waiting grid gap-6" aria-busy="true" data-waiting>
      <h1 className="visually-hidden">{text.waiting}</h1>
      <div className="round sunk" />
      <div className="round sunk" />
    </div>
  );
}
