import { describe } from "vitest";
import { deviceEnhancements } from "#tests/browser/journeys/device-journeys.ts";
import { passkeyJourneys } from "#tests/browser/journeys/passkey-journeys.ts";
import { repoJourneys } from "#tests/browser/journeys/repo-journeys.ts";
import { settingsJourneys } from "#tests/browser/journeys/settings-journeys.ts";
import { shareJourneys } from "#tests/browser/journeys/share-journeys.ts";
import { setStage } from "./stage.ts";

setStage(4);

describe("links and forms, with JavaScript", () => {
  settingsJourneys("on");
  shareJourneys("on");
  repoJourneys("on");
});

describe("what JavaScript adds to notifications", deviceEnhancements);
describe("what JavaScript adds to logging in", passkeyJourneys);
