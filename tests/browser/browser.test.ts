import { describe } from "vitest";
import { accessJourneys } from "#tests/browser/journeys/access-journeys.ts";
import { deviceEnhancements, deviceJourneys } from "#tests/browser/journeys/device-journeys.ts";
import { draftJourneys } from "#tests/browser/journeys/draft-journeys.ts";
import { editorJourneys } from "#tests/browser/journeys/editor-journeys.ts";
import { enhancedJourneys } from "#tests/browser/journeys/enhanced-journeys.ts";
import { fileActionJourneys } from "#tests/browser/journeys/file-action-journeys.ts";
import { findingJourneys, searchKeyJourneys } from "#tests/browser/journeys/finding-journeys.ts";
import { folderJourneys } from "#tests/browser/journeys/folder-journeys.ts";
import { frameJourneys } from "#tests/browser/journeys/frame-journeys.ts";
import { greetingJourneys } from "#tests/browser/journeys/greeting-journeys.ts";
import { keptNoteJourneys } from "#tests/browser/journeys/kept-note-journeys.ts";
import { keyboardJourneys, keyEnhancements } from "#tests/browser/journeys/keyboard-journeys.ts";
import { libraryJourneys } from "#tests/browser/journeys/library-journeys.ts";
import { lookJourneys } from "#tests/browser/journeys/look-journeys.ts";
import { noteEnhancements, noteJourneys } from "#tests/browser/journeys/note-journeys.ts";
import { offlineJourneys } from "#tests/browser/journeys/offline-journeys.ts";
import { operatorJourneys } from "#tests/browser/journeys/operator-journeys.ts";
import { passkeyJourneys } from "#tests/browser/journeys/passkey-journeys.ts";
import { repoJourneys } from "#tests/browser/journeys/repo-journeys.ts";
import { settingsJourneys } from "#tests/browser/journeys/settings-journeys.ts";
import { shareJourneys, shareLooks } from "#tests/browser/journeys/share-journeys.ts";
import { runEnhancements, toolJourneys } from "#tests/browser/journeys/tool-journeys.ts";
import {
  versionEnhancements,
  versionJourneys,
  versionLooks,
} from "#tests/browser/journeys/version-journeys.ts";
import { viewJourneys } from "#tests/browser/journeys/view-journeys.ts";
import { noteLooks } from "./note-looks.ts";
import { privateWordSearch } from "./private-words.ts";
import { setStage } from "./stage.ts";

// One file, so that the product and the browser are started once.
setStage();

describe.each(["on", "off"] as const)("with JavaScript %s", (javaScript) => {
  frameJourneys(javaScript);
  libraryJourneys(javaScript);
  findingJourneys(javaScript);
  fileActionJourneys(javaScript);
  versionJourneys(javaScript);
  deviceJourneys(javaScript);
  viewJourneys(javaScript);
  greetingJourneys(javaScript);
  noteJourneys(javaScript);
  toolJourneys(javaScript);
  shareJourneys(javaScript);
  settingsJourneys(javaScript);
  repoJourneys(javaScript);
  keyboardJourneys(javaScript);
  operatorJourneys(javaScript);
});

describe("folders", folderJourneys);
describe("what JavaScript adds", enhancedJourneys);
describe("what JavaScript adds to runs", runEnhancements);
describe("what JavaScript adds to finding", searchKeyJourneys);
describe("what JavaScript adds to editing", versionEnhancements);
describe("drafts", draftJourneys);
describe("what JavaScript adds to typing and choosing", editorJourneys);
describe("what the keyboard adds", keyEnhancements);
describe("for everyone", accessJourneys);
describe("what JavaScript adds to notes", noteEnhancements);
describe("notes that are written beside lines", keptNoteJourneys);
describe("what JavaScript adds to notifications", deviceEnhancements);
describe("what JavaScript adds to logging in", passkeyJourneys);
describe("without a network", offlineJourneys);
describe("how it looks", lookJourneys);
describe("how versions look", versionLooks);
describe("how notes look", noteLooks);
describe("how shares look", shareLooks);
// Last, because it searches what all journeys left.
describe("what operators see", privateWordSearch);
