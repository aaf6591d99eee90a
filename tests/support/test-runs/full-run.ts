/** `it` for tests that not every run includes; tests/README.md says which and why. */
import { it } from "vitest";
import { isDrawn, isFullRun } from "./tier.ts";

export const itInFullRun = it.runIf(isFullRun);

/** Runs in a full run, and for one commit in so many. */
export const itDrawn = (claim: string, oneIn: number) => it.runIf(isDrawn(claim, oneIn));
