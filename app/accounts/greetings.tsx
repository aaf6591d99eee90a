import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import bannerStyles from "#app/styles/frame/announcements.css?url";
import welcomeStyles from "#app/styles/frame/welcome.css?url";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";

export function AnnouncementBanner() {
  const text = useText().greetings;
  const { announcement } = usePage();
  if (!announcement) return null;
  return (
    <aside
      className="banner screen-only accent-ground line-up gap-3 edge-below pad-4 pad-block-1"
      aria-label={text.announcement}
      data-dismissible
    >
      <link rel="stylesheet" href={bannerStyles} />
      <Icon name="announce" />
      <p className="breaks shrinks pad-block-1" dir="auto">
        {announcement.link ? <a href={announcement.link}>{announcement.text}</a> : announcement.text}
      </p>
      <form method="post" action={`/api/v1/announcements/${announcement.id}/dismiss`} data-dismiss>
        <button
          className="mark-small soft middle square-small bare round"
          type="submit"
          aria-label={text.dismiss}
          title={text.dismiss}
        >
          <Icon name="remove" />
        </button>
      </form>
    </aside>
  );
}

type TourStep = [icon: IconName, part: "keep" | "find" | "annotate" | "tools" | "share"];
const TOUR: readonly TourStep[] = [
  ["plus", "keep"],
  ["search", "find"],
  ["edit", "annotate"],
];

/** Hidden until the script that handles this key shows it. */
function SearchKey() {
  const text = useText().greetings;
  return (
    <>
      {" "}
      <span className="keys-hint needs-script" data-search-hint>
        {text.searchKey}
      </span>
    </>
  );
}

/** A short tour for a first visit. It is part of the page's flow and covers nothing. `sample` is the form that fills an empty library. */
export function Welcome({ sample }: { sample: ReactNode }) {
  const text = useText().greetings;
  const { welcome } = usePage();
  if (!welcome) return null;
  const last: TourStep = welcome.run ? ["code", "tools"] : ["share", "share"];
  return (
    <dialog
      className="surface welcome auto-wide screen-only flush below-6 lifted ink"
      open
      aria-labelledby="welcome-title"
      data-dismissible
    >
      <link rel="stylesheet" href={welcomeStyles} />
      <h2 id="welcome-title">{text.welcome}</h2>
      <ul className="grid">
        {[...TOUR, last].map(([icon, key]) => (
          <li className="flex gap-3" key={key}>
            <Icon name={icon} />
            <div>
              <h3 className="strong">{text.tour[key].title}</h3>
              <p className="soft small">
                {text.tour[key].words}
                {key === "find" && <SearchKey />}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <div className="actions">
        <form method="post" action="/api/welcome/ack" data-dismiss>
          <button className="button" type="submit">
            {text.begin}
          </button>
        </form>
        {welcome.sample && sample}
      </div>
    </dialog>
  );
}
