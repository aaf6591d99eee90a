import { eventMessages } from "#app/i18n/en/event-messages.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";
import type { Locale } from "#domain/locale.ts";
import { hasKey } from "#domain/typed-keys.ts";

const MESSAGES: Record<Locale, (name: EventName) => string> = {
  en: (name) => eventMessages[name],
  // Events carry their own Hebrew message.
  he: (name) => EVENTS[name].msg_he,
};

/** Describes an event. An unknown event of an older release keeps its name. */
export function describeEvent(name: string, locale: Locale): string {
  return hasKey(EVENTS, name) ? MESSAGES[locale](name) : name;
}
