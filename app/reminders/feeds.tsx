import { useText } from "#app/i18n/text.ts";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Day, Moment } from "#app/ui/moment.tsx";

/** Shown this once. Each address stands in a field of its own: without JavaScript it is copied by selecting it. */
export function NewFeed({ address }: { address: string }) {
  const text = useText().feeds;
  const calendar = `${address}/reminders.ics`;
  return (
    <section className="card card-roomy feed-new" aria-labelledby="feed-new">
      <h2 id="feed-new">{text.made}</h2>
      <p role="status">{text.once}</p>
      <FeedAddress id="feed-calendar" label={text.calendar} hint={text.calendarHint} address={calendar} />
      <a className="button" href={calendar.replace(/^https?:/, "webcal:")}>
        <Icon name="book" />
        {text.subscribe}
      </a>
      <FeedAddress
        id="feed-atom"
        label={text.reader}
        hint={text.readerHint}
        address={`${address}/reminders.atom`}
      />
    </section>
  );
}

type AddressProps = { id: string; label: string; hint: string; address: string };

function FeedAddress({ id, label, hint, address }: AddressProps) {
  return (
    <div className="field feed-address">
      <label htmlFor={id}>{label}</label>
      <div className="field-line">
        <input
          className="input code"
          id={id}
          dir="ltr"
          readOnly
          value={address}
          aria-describedby={`${id}-hint`}
        />
        <CopyButton text={address} named={label} />
      </div>
      <p className="soft" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

type ListedFeed = { made_at: string; last_read_at: string | null };

/** What there is, and what can be done about it. */
export function FeedForms({ feed }: { feed: ListedFeed | null }) {
  const text = useText().feeds;
  if (!feed)
    return (
      <form className="actions credential-actions" method="post">
        <button className="button button-primary" type="submit" name="intent" value="make">
          <Icon name="book" />
          {text.make}
        </button>
      </form>
    );
  return (
    <section className="section" aria-labelledby="feed-yours">
      <div className="section-head">
        <h2 id="feed-yours">{text.yours}</h2>
      </div>
      <dl className="cluster credential-facts">
        <div>
          <dt>{text.madeOn}</dt>
          <dd>
            <Day at={feed.made_at} />
          </dd>
        </div>
        <div>
          <dt>{text.lastRead}</dt>
          <dd>{feed.last_read_at ? <Moment at={feed.last_read_at} /> : text.never}</dd>
        </div>
      </dl>
      <p className="soft intro credential-actions">{text.again}</p>
      <form className="actions" method="post">
        <button className="button" type="submit" name="intent" value="make">
          {text.renew}
        </button>
        <button className="button button-quiet" type="submit" name="intent" value="revoke">
          <Icon name="trash" />
          {text.revoke}
        </button>
      </form>
    </section>
  );
}
