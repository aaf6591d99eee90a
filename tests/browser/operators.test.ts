import { describe } from "vitest";
import { operatorJourneys } from "#tests/browser/journeys/operator-journeys.ts";
import { setStage } from "./stage.ts";

setStage(5);

describe.each(["on", "off"] as const)("with JavaScript %s", (javaScript) => {
  operatorJourneys(javaScript);
});
