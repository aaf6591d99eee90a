import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { READING_NAMES, READING_VALUES } from "#app/reading.ts";

/** How source text is shown: each button is a choice, and the form brings back the page it stands on. */
export function ReadingChoices() {
  const text = useText().reading;
  const { reading } = usePage();
  return (
    <>
      {READING_NAMES.map((name) => (
        <form key={name} method="post" action="/preferences">
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
                  {(text.values[name] as Record<string, string>)[value]}
                </button>
              ))}
            </div>
          </fieldset>
        </form>
      ))}
    </>
  );
}

/** The same beside a text, folded until it is asked for. */
export function ReadingPanel() {
  const text = useText().reading;
  return (
    <details className="disclosure">
      <summary>{text.title}</summary>
      <div className="reading-panel">
        <ReadingChoices />
      </div>
    </details>
  );
}
