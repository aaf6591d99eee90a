import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/frame/offline.css?url";
import { Problem } from "#app/web/ui/frame/problem.tsx";
import { Icon } from "#app/web/ui/icon.tsx";

export const handle: PageHandle = { title: (text) => text.offline.title };

export const links = linkSheets(styles);

/** Lists what this browser stores, by `enhance/offline-page.ts`. It is also shown in place of a page that is not stored. */
export default function Offline() {
  const text = useText().offline;
  const { person } = usePage();
  const { search } = useLocation();
  if (!person && new URLSearchParams(search).has("left")) return <LoggedOutOffline />;
  return (
    <div data-offline-page>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <p className="alert alert-caution" role="alert" data-asked hidden>
        <Icon name="offline" />
        {text.asked}
      </p>
      <p className="soft reading-wide below-4">{text.lead}</p>
      <p className="reading-wide below-4" data-without>
        {person ? text.without : text.nobody}
      </p>
      <Section name="forms" id="outbox" title={text.outbox} none={text.outboxEmpty}>
        <QueuedFormRow />
      </Section>
      <Section name="pages" title={text.pages} none={text.pagesNone}>
        <PageRow />
      </Section>
    </div>
  );
}

/** The service worker's answer to a log-out that did not reach the server. Only the server can remove its cookie. */
function LoggedOutOffline() {
  const text = useText().offline;
  return (
    <Problem>
      <h1>{text.leftTitle}</h1>
      <p className="large" role="alert">
        {text.leftHere} {text.leftThere}
      </p>
      <form className="actions" method="post" action="/logout">
        <button className="button button-primary" type="submit">
          {text.leftAgain}
        </button>
      </form>
    </Problem>
  );
}

type SectionProps = {
  name: "forms" | "pages";
  id?: string;
  title: string;
  none: string;
  children: ReactNode;
};

function Section({ name, id, title, none, children }: SectionProps) {
  return (
    <section
      className="stack section"
      id={id}
      data-queued-forms={name === "forms" ? "" : undefined}
      data-pages={name === "pages" ? "" : undefined}
      hidden
    >
      <h2>{title}</h2>
      <p className="soft" data-none>
        {none}
      </p>
      <ul />
      {children}
    </section>
  );
}

function PageRow() {
  return (
    <template data-page-row="" data-kinds={JSON.stringify(useText().offline.kinds)}>
      <li className="gap-4 rows-1 line-up wraps pad-block-2 edge-below">
        <span className="offline-page inline grow-16 firm breaks wraps gap-3 rows-0">
          {/* biome-ignore lint/a11y/useAnchorContent: the script writes the title of the page into it. */}
          {/* biome-ignore lint/a11y/useValidAnchor: the script gives it the address of the page. */}
          <a dir="auto" />
          <span className="soft small regular" data-kind />
        </span>
        <time className="soft" />
      </li>
    </template>
  );
}

function QueuedFormRow() {
  const text = useText().offline;
  return (
    <template data-queued-form-row="">
      <li className="gap-4 rows-1 line-up wraps pad-block-2 edge-below">
        <bdi className="offline-page inline grow-16 firm breaks" />
        <time className="soft" />
        <span className="small wrong" data-refused hidden>
          {text.refused}
        </span>
        <span className="actions">
          <button className="button button-small" type="button" data-open>
            {text.open}
          </button>
          <button className="button button-small" type="button" data-drop>
            {text.drop}
          </button>
        </span>
      </li>
    </template>
  );
}
