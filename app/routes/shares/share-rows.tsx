import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { useText } from "#app/i18n/text.ts";
import { EmbedOffer } from "#app/shares/embed-offer.tsx";
import type { WireShare } from "#app/shares/share-wire.server.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { CopyField } from "#app/web/ui/copy-field.tsx";
import { type Fact, Facts } from "#app/web/ui/facts.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { formatRange } from "#domain/text/line-range.ts";

/** `embedCode` is null if it cannot be embedded. */
type OwnersShare = WireShare & { embedCode: string | null };

export function ShareRows({ shares, made }: { shares: OwnersShare[]; made: string | null }) {
  return (
    <ul className="rows">
      {shares.map((share) => (
        <Row key={share.share_id} share={share} isNew={share.share_id === made} />
      ))}
    </ul>
  );
}

function Row({ share, isNew }: { share: OwnersShare; isNew: boolean }) {
  const text = useText().shares;
  const isDead = share.living === 0 || share.views_left === 0;
  const facts: Fact[] = [
    [text.views, text.viewCount(share.views, share.views_left)],
    [text.until, share.expires_at ? <DateText key="until" at={share.expires_at} /> : text.forGood],
    [text.since, <Moment key="since" at={share.created_at} />],
  ];
  return (
    <li
      className={
        isNew
          ? "share-row two-ends grid gap-4 rows-2 pad-4 pad-block-3 good-ground"
          : "share-row two-ends grid gap-4 rows-2 pad-4 pad-block-3"
      }
    >
      <div className="cluster shrinks whole-row gap-3 rows-1">
        <ShareName share={share} />
        <ShareLabels share={share} />
      </div>
      <State share={share} />
      {!isDead && <Address share={share} />}
      {!isDead && share.embedCode && (
        <EmbedOffer code={share.embedCode} id={share.share_id} className="whole-row flush" />
      )}
      <Facts facts={facts} />
      <RevokeForm share={share} />
    </li>
  );
}

/** A link to the file while it exists; several files are listed by their names. */
function ShareName({ share }: { share: WireShare }) {
  const text = useText().shares;
  const [file] = share.files;
  if (share.folder)
    return (
      <span className="strong breaks shrinks">
        {share.living > 0 ? (
          <a className="reach-line" href={folderAddress(share.folder.id)}>
            <bdi className="mono small">{removeBidiOverrides(share.folder.name)}</bdi>
          </a>
        ) : (
          <bdi className="mono small">{removeBidiOverrides(share.folder.name)}</bdi>
        )}
      </span>
    );
  if (share.kind === "link")
    return (
      <span className="flex wraps gap-3 rows-0 strong breaks shrinks">
        {text.several(share.files.length)}
        <span className="regular inline-flex wraps gap-3 rows-0 soft">
          {share.files.slice(0, NAMED).map(({ place, file_name }) => (
            <FileName key={place} name={file_name} className="mono small" />
          ))}
          {share.files.length > NAMED && <span>…</span>}
        </span>
      </span>
    );
  if (!file) return null;
  const name = <FileName name={file.file_name} className="mono small" />;
  return (
    <span className="strong breaks shrinks">
      {share.living > 0 ? (
        <a className="reach-line" href={`/file/${file.file_id}?v=${file.version}`}>
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  );
}

const NAMED = 4;

function ShareLabels({ share }: { share: WireShare }) {
  const { shares: text, folders } = useText();
  const marks = [
    share.folder && folders.sharedFolder,
    share.folder && (share.folder.follows ? folders.followed : text.several(share.files.length)),
    share.kind === "file" && share.files[0] && text.version(share.files[0].version),
    share.lines && text.range(formatRange(share.lines)),
    share.mode === "preview" && text.preview,
    share.has_password && text.protected,
  ].filter((mark) => typeof mark === "string");
  return (
    <span className="inline-flex wraps gap-1">
      {marks.map((mark) => (
        <span key={mark} className="word-mark reach-line tiny soft pad-inline-2 pill sunk">
          {mark}
        </span>
      ))}
    </span>
  );
}

function State({ share }: { share: WireShare }) {
  const { shares: text, folders } = useText();
  const all = share.folder?.follows ? 1 : share.files.length;
  const state =
    share.views_left === 0
      ? text.usedUp
      : share.living === 0
        ? share.folder
          ? folders.shareSuspended
          : text.suspended
        : share.living < all
          ? text.partly(share.living, all)
          : null;
  return state && <p className="small caution whole-row">{state}</p>;
}

function Address({ share }: { share: WireShare }) {
  const text = useText().shares;
  const several = share.folder?.name ?? text.several(share.files.length);
  const name = share.kind === "file" ? (share.files[0]?.file_name ?? "") : several;
  return (
    <CopyField className="whole-row" value={share.url} named={text.address(name)} small>
      <a className="button" href={share.url}>
        {text.open}
      </a>
    </CopyField>
  );
}

/** Ending a share cannot be undone, so it takes a second press. */
function RevokeForm({ share }: { share: WireShare }) {
  const text = useText().shares;
  return (
    <details className="confirm">
      <summary className="button button-small">{text.revoke}</summary>
      <form method="post" action="/shares">
        <button
          className="button button-small button-wrong"
          type="submit"
          name="revoke"
          value={share.share_id}
        >
          <Icon name="trash" />
          {text.revokeSure}
        </button>
      </form>
    </details>
  );
}
