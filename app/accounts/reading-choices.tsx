import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { READING_NAMES, READING_VALUES } from "#app/reading.ts";
import { Icon } from "#app/web/ui/icon.tsx";

const nameValue = (names: Partial<Record<string, string>>, value: string) => names[value];

export const READING_ANCHOR = "settings-reading";

/**
 * How source text is shown: each button is a choice, and the form returns to the page it is on. A browser keeps the fragment of the form's
 * address across the redirect, so the choices stay in view.
 */
export function ReadingChoices() {
  const text = useText().reading;
  const { reading } = usePage();
  return (
    <>
      <p className="soft">{text.hint}</p>
      {READING_NAMES.map((name) => (
        <form key={name} method="post" action={`/preferences#${READING_ANCHOR}`}>
          <fieldset className="choices">
            <legend>{text.names[name]}</legend>
            <div className="choices-row">
              {READING_VALUES[name].map((value) => (
                <button
                  key={value}
                  className="choice"
                  type="submit"
                  name={name}
                  value={value}
                  aria-pressed={value === reading[name]}
                >
                  {nameValue(text.values[name], value)}
                </button>
              ))}
            </div>
          </fieldset>
        </form>
      ))}
    </>
  );
}

export function ReadingMenu() {
  const text = useText().reading;
  const { code_wrap } = usePage().reading;
  const isWrapped = code_wrap === "on";
  return (
    <>
      <form method="post" action="/preferences">
        <button className="button" type="submit" name="code_wrap" value={isWrapped ? "off" : "on"}>
          <Icon name="wrap" />
          {isWrapped ? text.scrollLines : text.wrapLines}
        </button>
      </form>
      <a className="button" href={`/settings#${READING_ANCHOR}`}>
        <Icon name="settings" />
        {text.title}
      </a>
    </>
  );
}
