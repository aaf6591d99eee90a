import { describe } from "vitest";
import { enhancedJourneys } from "#tests/browser/journeys/enhanced-journeys.ts";
import { offlineJourneys } from "#tests/browser/journeys/offline-journeys.ts";
import { setStage } from "./stage.ts";

setStage(7);

describe("what JavaScript adds", enhancedJourneys);
describe("without a network", offlineJourneys);
