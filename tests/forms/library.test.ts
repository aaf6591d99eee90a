import { fileActionJourneys } from "#tests/browser/journeys/file-action-journeys.ts";
import { findingJourneys } from "#tests/browser/journeys/finding-journeys.ts";
import { folderJourneys } from "#tests/browser/journeys/folder-journeys.ts";
import { libraryJourneys } from "#tests/browser/journeys/library-journeys.ts";
import { toolJourneys } from "#tests/browser/journeys/tool-journeys.ts";
import { versionJourneys } from "#tests/browser/journeys/version-journeys.ts";
import { viewJourneys } from "#tests/browser/journeys/view-journeys.ts";
import { setStage } from "#tests/browser/stage.ts";

setStage(10, { needsBrowser: false });

libraryJourneys("off");
findingJourneys("off");
fileActionJourneys("off");
viewJourneys("off");
folderJourneys();
versionJourneys("off");
toolJourneys("off");
