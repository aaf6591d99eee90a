import { useLocation } from "@remix-run/react";
import { CodeView } from "#app/files/code/code-view.tsx";
import { type Background, Drawing, PagePreviewFrame } from "#app/files/code/drawing.tsx";
import { PlainReason } from "#app/files/code/plain-reason.tsx";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { EmbedOffer } from "#app/shares/embed-offer.tsx";
import type { HighlightedCode } from "#app/viewers/code/highlight.server.ts";
import { Contents } from "#app/viewers/markdown/prose-contents.tsx";
import type { Heading } from "#app/viewers/render-task.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { CopyButton } from "#app/web/ui/copy-button.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText } from "#app/web/ui/moment.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { languageLabel } from "#domain/files/language.ts";
import type { RefusalCode } from "#domain/refusal.ts";

type SharedView = "md" | "html" | "svg" | "source";
/** The view that a text of this language has beside its source. */
const VIEW_OF: Record<string, Exclude<SharedView, "source">> = { markdown: "md", html: "html", svg: "svg" };

type Shown = {
  file: { file_name: string; language: string; lines: number; size_bytes: number };
  range: string | null;
  isPreview: boolean;
  expires_at: string | null;
  view: SharedView;
  background: Background;
  code: HighlightedCode | null;
  prose: { html: string; headings: Heading[] } | null;
  reason: keyof Dictionary["viewers"]["notRendered"] | null;
};

type ShareAddress = {
  base: string;
  addressKey: string | null;
  isOwner: boolean;
  embedding: { code: string } | null;
};

export function SharedFile({ shown, place }: { shown: Shown; place: ShareAddress }) {
  const { shares, viewers } = useText();
  const { code, prose, reason, file, view } = shown;
  const other = (Object.hasOwn(VIEW_OF, file.language) && VIEW_OF[file.language]) || null;
  const isOwn = view === "html" || view === "svg";
  return (
    <>
      <SharedHead shown={shown} place={place} />
      {shown.isPreview && (
        <p className="accent-ground small around-3 round pad-3 pad-block-2">{shares.previewNote}</p>
      )}
      {other && <SharedTabs other={other} view={view} place={place} />}
      {reason && <Alert caution>{viewers.notRendered[reason]}</Alert>}
      {prose && (
        <>
          {prose.headings.length > 1 && <Contents headings={prose.headings} />}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: prose.html }} />
        </>
      )}
      {isOwn && !code && <SharedPicture shown={shown} view={view} place={place} />}
      {code && <PlainReason code={code} />}
      {code && <CodeView code={code} raw={toShareAddress(place, "/raw")} />}
    </>
  );
}

function toShareAddress({ base, addressKey }: ShareAddress, path: string): string {
  if (addressKey === null) return base + path;
  return `${base}${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(addressKey)}`;
}

function SharedHead({ shown, place }: { shown: Shown; place: ShareAddress }) {
  const { file: text, shares } = useText();
  const { file, range, expires_at } = shown;
  return (
    <header className="stack file-head below-4">
      <div className="cluster spread gap-4 rows-2">
        <h1 className="mono shrinks">
          <FileName name={file.file_name} />
        </h1>
        <div className="actions surface button-strip button-columns">
          <CopyButton from={toShareAddress(place, "/raw")} />
          <a className="button" href={toShareAddress(place, "/raw")}>
            <Icon name="code" />
            {shares.raw}
          </a>
          <a className="button" href={toShareAddress(place, "/download")}>
            <Icon name="download" />
            {text.download}
          </a>
          {!place.isOwner && !shown.isPreview && <SaveToLibraryForm />}
        </div>
      </div>
      <ul className="cluster file-meta small soft gap-4 rows-1">
        <li className="inline gap-2">
          <LanguageDot language={file.language} />
          {languageLabel(file.language)}
        </li>
        <li className="inline gap-2">{range ? shares.range(range) : text.lines(file.lines)}</li>
        <li className="inline gap-2">
          <Bytes count={file.size_bytes} />
        </li>
        {expires_at && (
          <li className="inline gap-2">
            <span>
              {shares.publicUntil} <DateText at={expires_at} />
            </span>
          </li>
        )}
      </ul>
      {place.embedding && <EmbedOffer code={place.embedding.code} id="file" />}
      {place.isOwner && <OwnShareNotice />}
    </header>
  );
}

/** Saves the shared file in the visitor's library. A visitor who is not logged in comes back here after logging in. */
function SaveToLibraryForm() {
  const text = useText().shares;
  const { person } = usePage();
  const { pathname, search } = useLocation();
  if (!person)
    return (
      <a className="button button-primary" href={`/login?next=${encodeURIComponent(pathname + search)}`}>
        {text.logInToSave}
      </a>
    );
  return (
    <form method="post" action={pathname + search}>
      <button className="button button-primary" type="submit" name="intent" value="save">
        <Icon name="book" />
        {text.save}
      </button>
    </form>
  );
}

export function OwnShareNotice() {
  const text = useText().shares;
  return (
    <p className="accent-ground small around-3 round pad-3 pad-block-2">
      {text.yours} <a href="/shares">{text.toShares}</a>
    </p>
  );
}

/** HTML in a frame, or SVG as an image. Both are documents of their own, under an address of the same share. */
function SharedPicture({ shown, view, place }: { shown: Shown; view: "html" | "svg"; place: ShareAddress }) {
  const { file_name } = shown.file;
  const src = toShareAddress(place, `/${view}`);
  if (view === "html") return <PagePreviewFrame fileName={file_name} src={src} />;
  return (
    <Drawing
      fileName={file_name}
      src={src}
      background={shown.background}
      addressOn={(name) => toShareAddress(place, `?view=svg&background=${name}`)}
    />
  );
}

type TabsProps = { other: Exclude<SharedView, "source">; view: SharedView; place: ShareAddress };

function SharedTabs({ other, view, place }: TabsProps) {
  const text = useText().viewers;
  const tabs = [
    ["source", text.source, toShareAddress(place, "?view=source")],
    [other, text.preview, toShareAddress(place, `?view=${other}`)],
  ] as const;
  return (
    <nav className="tabs flex gap-1 edge-below" aria-label={text.views}>
      {tabs.map(([name, label, href]) => (
        <a key={name} href={href} aria-current={name === view ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

type Lock = {
  title: string;
  hasPassword: boolean;
  viewsLeft: number | null;
  /** Why it stays closed after the form was sent. */
  refused: RefusalCode | undefined;
};

/** The page of a share that is not open to everyone. It reveals nothing about the content. */
export function ShareUnlockForm({ title, hasPassword, viewsLeft, refused }: Lock) {
  const text = useText().shares;
  return (
    <section className="login pad-block-8 grid gap-6">
      <div className="grid gap-2">
        <h1>{title}</h1>
        {hasPassword && <p className="soft">{text.lockedPassword}</p>}
        {viewsLeft !== null && <p className="soft">{text.lockedViews(viewsLeft)}</p>}
      </div>
      <form className="form" method="post">
        <RefusalAlert code={refused} />
        {hasPassword && (
          <div className="field">
            <label htmlFor="password">{text.password}</label>
            <input
              className="input"
              id="password"
              name="password"
              type="password"
              dir="auto"
              autoComplete="off"
              required
            />
          </div>
        )}
        <div className="actions">
          <button className="button button-primary" type="submit" name="intent" value="open">
            {text.openIt}
          </button>
        </div>
      </form>
    </section>
  );
}
