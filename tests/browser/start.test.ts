/** Journeys that sign in as the people of a local product, who exist only at number 0. */
import { describe } from "vitest";
import { draftJourneys } from "#tests/browser/journeys/draft-journeys.ts";
import { frameJourneys } from "#tests/browser/journeys/frame-journeys.ts";
import { greetingJourneys } from "#tests/browser/journeys/greeting-journeys.ts";
import { keyboardJourneys, keyEnhancements } from "#tests/browser/journeys/keyboard-journeys.ts";
import { openPageJourney, styleJourneys } from "#tests/browser/journeys/style-journeys.ts";
import { setStage } from "./stage.ts";

setStage(0);

describe.each(["on", "off"] as const)("with JavaScript %s", (javaScript) => {
  styleJourneys(javaScript);
  keyboardJourneys(javaScript);
});

describe("links and forms, with JavaScript", () => {
  frameJourneys("on");
  greetingJourneys("on");
});
describe("without JavaScript", openPageJourney);

describe("what the keyboard adds", keyEnhancements);
describe("drafts", draftJourneys);
