/// <reference types="vite/client" />
/**
 * The behaviours that JavaScript adds to pages, each in a file of `enhance/`. Pages are not rendered again in the browser, so neither React
 * nor the routes are loaded.
 */

import { enhanceBackFocus } from "#app/enhance/back.ts";
import { enhanceBell } from "#app/enhance/bell.ts";
import { enhanceBellPopover } from "#app/enhance/bell-popover.ts";
import { enhanceBusyForms } from "#app/enhance/busy.ts";
import { enhanceDismissals } from "#app/enhance/dismiss.ts";
import { enhanceCodeField } from "#app/enhance/editor/code-field.ts";
import { enhanceCodeTools } from "#app/enhance/editor/code-tools.ts";
import { enhanceDrafts } from "#app/enhance/editor/drafts.ts";
import { enhanceSaveKey } from "#app/enhance/editor/editor.ts";
import { enhanceFileFields } from "#app/enhance/editor/file-fields.ts";
import { enhanceFileRuns } from "#app/enhance/editor/file-runs.ts";
import { enhanceLeaving } from "#app/enhance/editor/leaving.ts";
import { enhanceSizeMeters } from "#app/enhance/editor/size-meter.ts";
import { enhanceCopy } from "#app/enhance/files/copy.ts";
import { enhanceDroppedFiles } from "#app/enhance/files/dropped-files.ts";
import { enhanceGoToLine } from "#app/enhance/files/go-to-line.ts";
import { enhanceLineBar } from "#app/enhance/files/line-bar.ts";
import { enhanceLineDrag } from "#app/enhance/files/line-drag.ts";
import { enhanceLineKeys } from "#app/enhance/files/line-keys.ts";
import { enhanceLineRange } from "#app/enhance/files/line-range.ts";
import { enhanceNameTakenHints } from "#app/enhance/files/name-hint.ts";
import { enhanceOpenedReport } from "#app/enhance/files/opening.ts";
import { enhanceOutline } from "#app/enhance/files/outline.ts";
import { enhanceTaskTicks } from "#app/enhance/files/task-ticks.ts";
import { enhanceChooseFolder } from "#app/enhance/folders/choose-folder.ts";
import { enhanceFolderDrag } from "#app/enhance/folders/folder-drag.ts";
import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { enhanceMenus } from "#app/enhance/menu.ts";
import { enhanceNewBoardNotes } from "#app/enhance/notes/board-notes.ts";
import { enhanceBoardZoom } from "#app/enhance/notes/board-zoom.ts";
import { enhanceAddNoteLink } from "#app/enhance/notes/note-add.ts";
import { enhanceNoteDrag } from "#app/enhance/notes/note-drag.ts";
import { enhanceNoteEdit } from "#app/enhance/notes/note-edit.ts";
import { enhanceNoteKeys } from "#app/enhance/notes/note-keys.ts";
import { enhanceNoteMenus } from "#app/enhance/notes/note-menu.ts";
import { enhanceNoteMove } from "#app/enhance/notes/note-move.ts";
import { enhanceNotePreview } from "#app/enhance/notes/note-preview.ts";
import { enhanceNoteResize } from "#app/enhance/notes/note-resize.ts";
import { saveOnLeaving } from "#app/enhance/notes/note-saves.ts";
import { enhanceNoteSheet } from "#app/enhance/notes/note-sheet.ts";
import { enhanceNoteTicks } from "#app/enhance/notes/note-ticks.ts";
import { enhanceOldPage } from "#app/enhance/notes/old-page.ts";
import { enhanceSentNotes } from "#app/enhance/notes/sent-notes.ts";
import { enhancePlaceholderPage } from "#app/enhance/offline/frame.ts";
import { enhanceInstall } from "#app/enhance/offline/install.ts";
import { enhanceOfflineStatus } from "#app/enhance/offline/offline.ts";
import { enhanceOfflinePage } from "#app/enhance/offline/offline-page.ts";
import { enhancePasskeys } from "#app/enhance/passkey.ts";
import { enhancePush } from "#app/enhance/push.ts";
import { enhancePalette } from "#app/enhance/search/palette.ts";
import { enhanceShortcuts } from "#app/enhance/shortcuts.ts";
import { enhanceTimeZone } from "#app/enhance/time-zone.ts";
import { enhanceToast } from "#app/enhance/toast.ts";
import { enhanceTransitions } from "#app/enhance/transitions.ts";

const BEHAVIOURS = [
  enhancePlaceholderPage,
  enhanceMenus,
  enhanceToast,
  enhanceBellPopover,
  enhancePalette,
  enhanceShortcuts,
  enhanceLineRange,
  enhanceLineBar,
  enhanceLineDrag,
  enhanceLineKeys,
  enhanceGoToLine,
  enhanceOutline,
  enhanceLocalTime,
  enhanceCopy,
  enhanceDismissals,
  enhanceCodeTools,
  enhanceFileRuns,
  enhanceSaveKey,
  enhanceDrafts,
  enhancePush,
  enhancePasskeys,
  enhanceCodeField,
  enhanceFileFields,
  enhanceNameTakenHints,
  enhanceDroppedFiles,
  enhanceChooseFolder,
  enhanceFolderDrag,
  enhanceAddNoteLink,
  enhanceNewBoardNotes,
  enhanceBoardZoom,
  enhanceNoteTicks,
  enhanceTaskTicks,
  enhanceNoteDrag,
  enhanceNoteMenus,
  enhanceNoteMove,
  enhanceNoteResize,
  enhanceNoteKeys,
  enhanceNoteEdit,
  enhanceNoteSheet,
  enhanceNotePreview,
  saveOnLeaving,
  enhanceSentNotes,
  enhanceOldPage,
  enhanceSizeMeters,
  enhanceLeaving,
  enhanceBackFocus,
  enhanceOfflinePage,
  enhanceInstall,
  // Must be last: it handles only the forms that no other behaviour submits.
  enhanceBusyForms,
];

/** Behaviours that nobody clicks start after the others, so that a slow device stays responsive. */
const BACKGROUND = [
  enhanceTransitions,
  enhanceOpenedReport,
  enhanceTimeZone,
  enhanceBell,
  enhanceOfflineStatus,
];

// A behaviour that fails, for example because of browser settings, is reported, and the others still start.
function runBehaviours(behaviours: readonly (() => void)[]): void {
  for (const enhance of behaviours) {
    try {
      enhance();
    } catch (error) {
      reportError(error);
    }
  }
}

function runAllBehaviours(): void {
  runBehaviours(BEHAVIOURS);
  setTimeout(() => runBehaviours(BACKGROUND));
}

if ("prerendering" in document && document.prerendering)
  // A prerendered page is shown first and then starts its behaviours.
  document.addEventListener("prerenderingchange", () =>
    requestAnimationFrame(() => setTimeout(runAllBehaviours)),
  );
// The page is shown while it is still loading.
else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", runAllBehaviours);
else runAllBehaviours();

// The production build leaves this out.
if (process.env.NODE_ENV === "development")
  new EventSource("/development/changes").addEventListener("message", () => location.reload());
