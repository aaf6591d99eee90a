import { frameJourneys } from "#tests/browser/journeys/frame-journeys.ts";
import { greetingJourneys } from "#tests/browser/journeys/greeting-journeys.ts";
import { noteJourneys } from "#tests/browser/journeys/note-journeys.ts";
import { repoJourneys } from "#tests/browser/journeys/repo-journeys.ts";
import { settingsJourneys } from "#tests/browser/journeys/settings-journeys.ts";
import { shareJourneys } from "#tests/browser/journeys/share-journeys.ts";
import { setStage } from "#tests/browser/stage.ts";

setStage(11, { needsBrowser: false });

frameJourneys("off");
greetingJourneys("off");
noteJourneys("off");
settingsJourneys("off");
shareJourneys("off");
repoJourneys("off");
