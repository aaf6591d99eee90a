import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { THEMES, type Theme } from "#app/theme.ts";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { LOCALE_NAMES, LOCALES } from "#domain/locale.ts";

const ICONS: Record<Theme, IconName> = {
  system: "screen",
  light: "sun",
  dark: "moon",
  contrast: "contrast",
};

/** Theme and language: each button is a choice, and the form returns to the page it is on. */
export function DisplayChoices() {
  const { nav } = useText();
  const { theme, locale } = usePage();
  return (
    <>
      <form method="post" action="/preferences">
        <fieldset className="choices">
          <legend>{nav.theme}</legend>
          <div className="choices-row">
            {THEMES.map((name) => (
              <button
                key={name}
                className="choice"
                type="submit"
                name="theme"
                value={name}
                aria-pressed={name === theme}
              >
                <Icon name={ICONS[name]} />
                {nav.themes[name]}
              </button>
            ))}
          </div>
        </fieldset>
      </form>
      <form method="post" action="/preferences">
        <fieldset className="choices">
          <legend>{nav.language}</legend>
          <div className="choices-row">
            {LOCALE_NAMES.map((name) => (
              <button
                key={name}
                className="choice"
                type="submit"
                name="locale"
                value={name}
                lang={name}
                dir={LOCALES[name].dir}
                aria-pressed={name === locale}
              >
                {LOCALES[name].label}
              </button>
            ))}
          </div>
        </fieldset>
      </form>
    </>
  );
}
