import { DisplayChoices } from "#app/accounts/display-choices.tsx";
import { useText } from "#app/i18n/text.ts";
import type { Person } from "#app/page-context.ts";
import { Icon } from "#app/web/ui/icon.tsx";

export function PersonMenu({ person }: { person: Person }) {
  const { nav, roles, offline, help } = useText();
  return (
    <details className="menu person-menu">
      <summary>
        <span className="person-initial grid accent-ground pill small strong" aria-hidden="true">
          {[...person.first_name][0]}
        </span>
        <span className="visually-hidden">{nav.account}</span>
      </summary>
      <div className="surface menu-sheet">
        <div>
          <p className="strong">
            <bdi>{person.first_name}</bdi>
          </p>
          <p className="soft">{roles[person.role]}</p>
        </div>
        <div>
          <a className="rail-link" href="/settings">
            <Icon name="settings" />
            {nav.settings}
          </a>
          <a className="rail-link" href="/settings/devices">
            <Icon name="bell" />
            {nav.devices}
          </a>
          <a className="rail-link" href="/offline">
            <Icon name="offline" />
            {offline.nav}
          </a>
          <a className="rail-link" href="/help/shortcuts">
            <Icon name="help" />
            {help.title}
          </a>
          <button className="rail-link" type="button" data-install hidden>
            <Icon name="download" />
            {offline.install}
          </button>
        </div>
        <DisplayChoices />
        <form className="menu-actions" method="post" action="/logout" data-leaving={offline.leaving}>
          <button className="button" type="submit">
            <Icon name="leave" />
            {nav.logout}
          </button>
          <button className="button button-quiet" type="submit" name="everywhere" value="1">
            {nav.logoutEverywhere}
          </button>
        </form>
      </div>
    </details>
  );
}

export function DisplayMenu() {
  const { nav } = useText();
  return (
    <details className="menu person-menu">
      <summary>
        <Icon name="contrast" />
        <span className="visually-hidden">{nav.display}</span>
      </summary>
      <div className="surface menu-sheet">
        <DisplayChoices />
      </div>
    </details>
  );
}
