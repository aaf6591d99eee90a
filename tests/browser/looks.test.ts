/** What everybody can see and use. */
import { describe } from "vitest";
import { accessJourneys } from "#tests/browser/journeys/access-journeys.ts";
import { lookJourneys } from "#tests/browser/journeys/look-journeys.ts";
import { setStage } from "./stage.ts";

setStage(6);

describe("for everyone", accessJourneys);
describe("how it looks", lookJourneys);
