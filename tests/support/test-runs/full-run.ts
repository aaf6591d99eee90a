/** `it` for what not every run takes; tests/README.md says which and why. */
import { it } from "vitest";
import { isDrawn, isFullRun } from "./tier.ts";

export const itInFullRun = it.runIf(isFullRun);

/** Taken in a full run, and where the commit draws it: by one commit in so many. */
export const itDrawn = (claim: string, oneIn: number) => it.runIf(isDrawn(claim, oneIn));
