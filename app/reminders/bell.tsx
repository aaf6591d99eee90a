import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";

const COUNTED_MAX = 99;

/** Links to the reminders and counts those that are due. It carries the label for every number, for the script that updates it. */
export function Bell({ due }: { due: number }) {
  const text = useText().reminders;
  const { pathname } = useLocation();
  return (
    <a
      className="bell middle rigid round ink lights-up"
      href="/reminders"
      aria-label={text.bell(due)}
      aria-current={pathname === "/reminders" ? "page" : undefined}
      data-bell={due}
      data-bell-none={text.bell(0)}
      data-bell-one={text.bell(1)}
      data-bell-many={text.bell(COUNTED_MAX)}
    >
      <Icon name="bell" />
      <span className="badge" hidden={due === 0} aria-hidden="true">
        {due > COUNTED_MAX ? `${COUNTED_MAX}+` : due}
      </span>
    </a>
  );
}
