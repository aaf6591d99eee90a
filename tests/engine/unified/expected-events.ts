/** The events a client published, in order, against those the test expects. */

import type { Document } from "mongodb";
import { itemAt } from "#domain/required.ts";
import type { Entities } from "./entities.ts";
import { type ExpectedEvents, only } from "./format.ts";
import { Mismatch, matchRoot, matchValue, type References, show } from "./match.ts";
import type { ObservedEvent } from "./observed-client.ts";

type Check = (wanted: unknown, event: Document, references: References) => void;

const CHECKS: Record<string, Check> = {
  command: (wanted, event, references) => matchRoot(wanted, event.command, "command", references),
  reply: (wanted, event, references) => matchRoot(wanted, event.reply, "reply", references),
  commandName: (wanted, event, references) =>
    matchValue(wanted, event.commandName, "commandName", references),
  databaseName: (wanted, event, references) =>
    matchValue(wanted, event.databaseName, "databaseName", references),
  reason: (wanted, event, references) => matchValue(wanted, event.reason, "reason", references),
  awaited: (wanted, event, references) => matchValue(wanted, event.awaited, "awaited", references),
  interruptInUseConnections: (wanted, event, references) =>
    matchValue(wanted, event.interruptInUseConnections, "interruptInUseConnections", references),
  hasServiceId: (wanted, event, references) =>
    matchValue(wanted, event.serviceId != null, "hasServiceId", references),
  hasServerConnectionId: (wanted, event, references) =>
    matchValue(wanted, event.serverConnectionId != null, "hasServerConnectionId", references),
  previousDescription: (wanted, event) => matchDescription(wanted as Document, event.previousDescription),
  newDescription: (wanted, event) => matchDescription(wanted as Document, event.newDescription),
};

export function matchEvents(expected: ExpectedEvents, entities: Entities): void {
  const found = entities.get("client", expected.client).eventsOf(expected.eventType ?? "command");
  const wanted = expected.events;
  const enough = expected.ignoreExtraEvents ? found.length >= wanted.length : found.length === wanted.length;
  if (!enough) {
    throw new Mismatch(`${found.length} events instead of ${wanted.length}: ${found.map(nameOf).join(", ")}`);
  }
  for (const [index, event] of wanted.entries()) {
    withPlace(`event ${index}`, () => matchEvent(event, itemAt(found, index), entities));
  }
}

export function matchEvent(
  expected: Record<string, Document>,
  found: ObservedEvent,
  references: References,
): void {
  const [type, assertions] = only(expected);
  if (found.type !== type) throw new Mismatch(`it is ${nameOf(found)} instead of ${type}`);
  for (const [name, wanted] of Object.entries(assertions)) {
    const check = CHECKS[name];
    if (check === undefined) throw new Error(`unknown assertion on an event: ${name}`);
    check(wanted, found.event, references);
  }
}

/** A topology or server is compared by its type alone. */
function matchDescription(wanted: Document, found: Document | undefined): void {
  if (wanted.type !== undefined && wanted.type !== found?.type) {
    throw new Mismatch(`the description is of type ${show(found?.type)} instead of ${wanted.type}`);
  }
}

function nameOf({ type, event }: ObservedEvent): string {
  return event.commandName === undefined ? type : `${type}(${event.commandName})`;
}

function withPlace(place: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Mismatch) throw new Mismatch(`${place}: ${error.message}`);
    throw error;
  }
}
