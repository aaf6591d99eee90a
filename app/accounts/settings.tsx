import type { ReactNode } from "react";
import { TimeZones, ZoneInput } from "#app/accounts/zone-choice.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { RUN_RESULT_DAYS, RUN_RESULTS_PER_FILE } from "#domain/code-runs/run-result.ts";
import type { RefusalCode } from "#domain/refusal.ts";

const HERE = "/settings";

export function ZoneField({ zones }: { zones: readonly string[] }) {
  const { settings: text, reminders } = useText();
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="settings-zone">
      <h2 id="settings-zone">{text.zone}</h2>
      <p className="soft">{text.zoneLead}</p>
      <form className="field-line" method="post" action="/preferences">
        <input type="hidden" name="next" value={HERE} />
        <ZoneInput aria-labelledby="settings-zone" />
        <button className="button" type="submit">
          {reminders.saveZone}
        </button>
      </form>
      <TimeZones zones={zones} />
    </section>
  );
}

type Choice = {
  id: string;
  title: string;
  lead: string;
  name: string;
  on: boolean;
  words: { on: string; off: string };
};

function OnOff({ id, title, lead, name, on, words: { on: yes, off: no } }: Choice) {
  const choices = [
    ["on", yes, on],
    ["off", no, !on],
  ] as const;
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="soft">{lead}</p>
      <form method="post" action="/preferences">
        <input type="hidden" name="next" value={HERE} />
        <fieldset className="choices">
          <legend className="visually-hidden">{title}</legend>
          <div className="choices-row flex wraps">
            {choices.map(([value, label, chosen]) => (
              <button
                key={value}
                className="choice"
                type="submit"
                name={name}
                value={value}
                aria-pressed={chosen}
              >
                {label}
              </button>
            ))}
          </div>
        </fieldset>
      </form>
    </section>
  );
}

export function KeyChoice() {
  const text = useText().settings;
  const on = usePage().person?.shortcuts ?? true;
  const words = { on: text.keysOn, off: text.keysOff };
  return (
    <OnOff id="settings-keys" title={text.keys} lead={text.keysLead} name="shortcuts" {...{ on, words }} />
  );
}

/** Only for people who may run programs. */
export function RunChoice({ keep }: { keep: boolean }) {
  const text = useText().runs;
  const lead = text.keeping(RUN_RESULT_DAYS, RUN_RESULTS_PER_FILE);
  const words = { on: text.keepOn, off: text.keepOff };
  return (
    <OnOff id="settings-runs" title={text.keepTitle} lead={lead} name="keep_runs" on={keep} words={words} />
  );
}

type PlaceName = keyof Dictionary["settings"]["places"];

const PLACES: readonly [name: PlaceName, icon: IconName][] = [
  ["devices", "bell"],
  ["feeds", "book"],
  ["tokens", "code"],
  ["sign-in", "screen"],
  ["export", "download"],
  ["delete", "trash"],
];

export function SettingPlaces() {
  const text = useText().settings;
  return (
    <nav className="settings-part stack column items-start shrinks" aria-labelledby="settings-more">
      <h2 id="settings-more">{text.more}</h2>
      <ul className="rows">
        {PLACES.map(([name, icon]) => (
          <li key={name}>
            <a
              className="lights-up ink plain grid gap-4 centred pad-4 pad-block-3"
              href={`/settings/${name}`}
            >
              <Icon name={icon} />
              <span className="grid">
                <strong className="firm">{text.places[name].name}</strong>
                <span className="soft small">{text.places[name].words}</span>
              </span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type HeadProps = { title: string; lead?: ReactNode; refused: RefusalCode | undefined };

export function SettingsHead({ title, lead, refused }: HeadProps) {
  const text = useText().settings;
  return (
    <>
      <ParentLink href={HERE}>{text.back}</ParentLink>
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      {lead && <p className="soft reading-wide below-4">{lead}</p>}
      <RefusalAlert code={refused} />
    </>
  );
}
