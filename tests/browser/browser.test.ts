import { describe } from "vitest";
import { enhancedJourneys } from "./enhanced-journeys.ts";
import { frameJourneys } from "./frame-journeys.ts";
import { libraryJourneys } from "./library-journeys.ts";
import { lookJourneys } from "./look-journeys.ts";
import { setStage } from "./stage.ts";

// One file, so that the product and the browser are started once.
setStage();

describe.each(["on", "off"] as const)("with JavaScript %s", (javaScript) => {
  frameJourneys(javaScript);
  libraryJourneys(javaScript);
});

describe("what JavaScript adds", enhancedJourneys);
describe("how it looks", lookJourneys);
