import { describe } from "vitest";
import { accessJourneys } from "./access-journeys.ts";
import { deviceEnhancements, deviceJourneys } from "./device-journeys.ts";
import { draftJourneys } from "./draft-journeys.ts";
import { editorJourneys } from "./editor-journeys.ts";
import { enhancedJourneys } from "./enhanced-journeys.ts";
import { fileActionJourneys } from "./file-action-journeys.ts";
import { findingJourneys, searchKeyJourneys } from "./finding-journeys.ts";
import { folderJourneys } from "./folder-journeys.ts";
import { frameJourneys } from "./frame-journeys.ts";
import { greetingJourneys } from "./greeting-journeys.ts";
import { keyboardJourneys, keyEnhancements } from "./keyboard-journeys.ts";
import { libraryJourneys } from "./library-journeys.ts";
import { lookJourneys } from "./look-journeys.ts";
import { noteEnhancements, noteJourneys } from "./note-journeys.ts";
import { noteLooks } from "./note-looks.ts";
import { offlineJourneys } from "./offline-journeys.ts";
import { operatorJourneys } from "./operator-journeys.ts";
import { passkeyJourneys } from "./passkey-journeys.ts";
import { privateWordSearch } from "./private-words.ts";
import { repoJourneys } from "./repo-journeys.ts";
import { settingsJourneys } from "./settings-journeys.ts";
import { shareJourneys, shareLooks } from "./share-journeys.ts";
import { setStage } from "./stage.ts";
import { runEnhancements, toolJourneys } from "./tool-journeys.ts";
import { versionEnhancements, versionJourneys, versionLooks } from "./version-journeys.ts";
import { viewJourneys } from "./view-journeys.ts";

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
describe("what JavaScript adds to notifications", deviceEnhancements);
describe("what JavaScript adds to logging in", passkeyJourneys);
describe("without a network", offlineJourneys);
describe("how it looks", lookJourneys);
describe("how versions look", versionLooks);
describe("how notes look", noteLooks);
describe("how shares look", shareLooks);
// Last, because it searches what all journeys left.
describe("what operators see", privateWordSearch);
