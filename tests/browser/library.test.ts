import { describe } from "vitest";
import { fileActionJourneys } from "#tests/browser/journeys/file-action-journeys.ts";
import { findingJourneys, searchKeyJourneys } from "#tests/browser/journeys/finding-journeys.ts";
import { folderEnhancements } from "#tests/browser/journeys/folder-journeys.ts";
import { libraryJourneys } from "#tests/browser/journeys/library-journeys.ts";
import { viewJourneys } from "#tests/browser/journeys/view-journeys.ts";
import { setStage } from "./stage.ts";

setStage(1);

describe("links and forms, with JavaScript", () => {
  libraryJourneys("on");
  findingJourneys("on");
  fileActionJourneys("on");
  viewJourneys("on");
});

describe("what JavaScript adds to folders", folderEnhancements);
describe("what JavaScript adds to finding", searchKeyJourneys);
