import { describe } from "vitest";
import { keptNoteJourneys } from "#tests/browser/journeys/kept-note-journeys.ts";
import { noteEnhancements, noteJourneys } from "#tests/browser/journeys/note-journeys.ts";
import { setStage } from "./stage.ts";

setStage(2);

describe("links and forms, with JavaScript", () => {
  noteJourneys("on");
});

describe("what JavaScript adds to notes", noteEnhancements);
describe("notes that are written beside lines", keptNoteJourneys);
