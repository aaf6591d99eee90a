import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { Notice } from "#app/web/ui/frame/notice.tsx";
import { isFolderId } from "#domain/files/folders/folder-tree.ts";

const PAGES_OF_A_FOLDER = ["/files", "/upload"];

/** Covers the page while files are dragged over it; `enhance/files/dropped-files.ts` shows it. */
export function DropOverlay() {
  const text = useText().dropped;
  const { pathname, search } = useLocation();
  const folder = PAGES_OF_A_FOLDER.includes(pathname) && new URLSearchParams(search).get("folder");
  return (
    <div
      className="drop-overlay screen-only grid"
      data-dropped-files={folder && isFolderId(folder) ? `/upload?folder=${folder}` : "/upload"}
      data-saving={text.saving}
      hidden
    >
      <p role="status">{text.drop}</p>
    </div>
  );
}

/** Holds the message for a page that accepts no drops at the moment; its script fetches it. */
export function DropRefusal() {
  return (
    <template data-drop-refusal="">
      <div className="notices screen-only grid">
        <Notice isWrong>
          <p>{useText().dropped.unsaved}</p>
        </Notice>
      </div>
    </template>
  );
}
