import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/web/ui/copy-field.tsx";
import { type Fact, Facts } from "#app/web/ui/facts.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { Section } from "#app/web/ui/section.tsx";

/** Shows the addresses of a new feed, once. Each is in its own field, to be selected and copied without JavaScript. */
export function NewFeed({ address }: { address: string }) {
  const text = useText().feeds;
  const calendar = `${address}/reminders.ics`;
  return (
    <section className="card card-roomy reading-wide above-4 below-6 items-start" aria-labelledby="feed-new">
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
    <div className="field small full">
      <label htmlFor={id}>{label}</label>
      <CopyField id={id} value={address} named={label} hintId={`${id}-hint`} />
      <p className="soft" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

type ListedFeed = { made_at: string; last_read_at: string | null };

export function FeedForms({ feed }: { feed: ListedFeed | null }) {
  const text = useText().feeds;
  if (!feed)
    return (
      <form className="actions around-3" method="post">
        <button className="button button-primary" type="submit" name="intent" value="make">
          <Icon name="book" />
          {text.make}
        </button>
      </form>
    );
  const facts: Fact[] = [
    [text.madeOn, <DateText key="made" at={feed.made_at} />],
    [text.lastRead, feed.last_read_at ? <Moment key="read" at={feed.last_read_at} /> : text.never],
  ];
  return (
    <Section id="feed-yours" title={text.yours}>
      <Facts facts={facts} inline />
      <p className="soft reading-wide below-4 around-3">{text.again}</p>
      <form className="actions" method="post">
        <button className="button" type="submit" name="intent" value="make">
          {text.renew}
        </button>
        <button className="button button-quiet" type="submit" name="intent" value="revoke">
          <Icon name="trash" />
          {text.revoke}
        </button>
      </form>
    </Section>
  );
}
