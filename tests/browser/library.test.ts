/** Keeping and finding files. */
import { describe } from "vitest";
import { fileActionJourneys } from "#tests/browser/journeys/file-action-journeys.ts";
import { findingJourneys, searchKeyJourneys } from "#tests/browser/journeys/finding-journeys.ts";
import { folderJourneys } from "#tests/browser/journeys/folder-journeys.ts";
import { libraryJourneys } from "#tests/browser/journeys/library-journeys.ts";
import { viewJourneys } from "#tests/browser/journeys/view-journeys.ts";
import { setStage } from "./stage.ts";

setStage(1);

describe.each(["on", "off"] as const)("with JavaScript %s", (javaScript) => {
  libraryJourneys(javaScript);
  findingJourneys(javaScript);
  fileActionJourneys(javaScript);
  viewJourneys(javaScript);
});

describe("folders", folderJourneys);
describe("what JavaScript adds to finding", searchKeyJourneys);
