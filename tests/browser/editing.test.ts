import { describe } from "vitest";
import { editorJourneys } from "#tests/browser/journeys/editor-journeys.ts";
import { runEnhancements, toolJourneys } from "#tests/browser/journeys/tool-journeys.ts";
import { versionEnhancements, versionJourneys } from "#tests/browser/journeys/version-journeys.ts";
import { setStage } from "./stage.ts";

setStage(3);

describe("links and forms, with JavaScript", () => {
  versionJourneys("on");
  toolJourneys("on");
});

describe("what JavaScript adds to editing", versionEnhancements);
describe("what JavaScript adds to typing and choosing", editorJourneys);
describe("what JavaScript adds to runs", runEnhancements);
