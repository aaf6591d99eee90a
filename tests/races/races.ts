import type { Field, Outcome, Size } from "./field.ts";
import { raceAnnouncements, raceFileQuota, raceOneForm, racePersonQuota, raceSaves } from "./file-races.ts";
import { raceFolderMoves } from "./folder-races.ts";
import { raceContent, raceReminder, raceTasks } from "./note-races.ts";

const RACES: readonly ((field: Field, size: Size) => Promise<Outcome>)[] = [
  raceContent,
  raceTasks,
  raceReminder,
  raceSaves,
  raceFolderMoves,
  raceFileQuota,
  racePersonQuota,
  raceAnnouncements,
  raceOneForm,
];

/** The first race, on a note's content, gets all the tries; the others get a tenth of them each. */
export async function runRaces(field: Field, size: Size): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [i, race] of RACES.entries())
    outcomes.push(
      await race(
        field,
        i === 0 ? size : { ...size, tries: Math.max(size.writers, Math.ceil(size.tries / 10)) },
      ),
    );
  return outcomes;
}
