import { expect, it } from "vitest";
import { readLeftBehind, readProductLines } from "#tests/support/databases/server-address.ts";
import {
  collectWords,
  findWords,
  listTyped,
  privateWords,
  readOperatorTexts,
} from "#tests/support/private-words/private-words.ts";
import { type LeftBehind, productUrl, setStage, withStore } from "./stage.ts";

/** The launcher prints the sign-in link in the terminal of the person who started it. No process logs it. */
const isSignInLine = (line: string) => line.startsWith("  Log in, once in each browser: ");

const CONTROL = "nobody-ever-typed-this-🗝";

/** The number of journey files that run before this one. */
const STAGES = 8;
setStage(STAGES);

/**
 * After all journeys: searches everything that administrators see for what people stored and typed. The words come from this run's store
 * and requests.
 */
it("no log line, event, alert, metric or run record contains anything that people stored or typed", async (context) => {
  const leftBehind = await readLeftBehind<LeftBehind>();
  if (leftBehind.length < STAGES) return context.skip("needs what all journeys left behind");
  await withStore(async ({ collections }) => {
    const collected = await collectWords(collections);
    const typed = leftBehind.flatMap(({ sent }) => sent).flatMap(({ type, body }) => listTyped(type, body));
    const seenSecrets = leftBehind.flatMap(({ secrets }) => secrets);
    const secrets = [...collected.secrets, ...seenSecrets];
    const words = privateWords({ words: [...collected.words, ...typed], secrets });
    const library = JSON.stringify([collected, await collections.notes.find().toArray()]);
    const metrics = await (await fetch(`${productUrl()}/metrics`)).text();
    const places: Record<string, string> = {
      ...(await readOperatorTexts(collections)),
      log: [...new Set((await readProductLines()).filter((line) => !isSignInLine(line)))].join("\n"),
      metrics,
    };

    // The search works: it finds the words in the library, and a word hidden in a text.
    expect(words.length).toBeGreaterThan(20);
    expect(findWords(library, words).length).toBeGreaterThan(10);
    expect(seenSecrets.length).toBeGreaterThan(0);
    for (const [place, text] of Object.entries(places)) {
      expect(findWords(`${text} ${encodeURIComponent(CONTROL)}`, [CONTROL]), place).toHaveLength(1);
      expect(findWords(text, words), place).toEqual([]);
    }
  });
});
