import { describe } from "vitest";
import { accessJourneys } from "#tests/browser/journeys/access-journeys.ts";
import { lookJourneys } from "#tests/browser/journeys/look-journeys.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { REPO_NAME } from "./seeded-pages.ts";
import { setStage } from "./stage.ts";

setStage(6);

const remote = createRemote(REPO_NAME);

describe("for everyone", () => accessJourneys(remote));
describe("the appearance", () => lookJourneys(remote));
