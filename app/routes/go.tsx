import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { listFilePage } from "#app/files/file-listing.server.ts";
import { FileName } from "#app/files/file-name.tsx";
import { LanguageDot } from "#app/files/file-rows.tsx";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { Icon } from "#app/ui/icon.tsx";
import { usePlaces } from "#app/ui/rail.tsx";
import { SearchInput } from "#app/ui/search-input.tsx";
import { SheetClose } from "#app/ui/sheet-close.tsx";
import { searchNotes } from "#db/search/note-search.server.ts";
import { plainPreview } from "#domain/notes/note-markdown.ts";
import { isRefusal } from "#domain/refusal.ts";
import { NEEDLE_MAX } from "#domain/search/folded.ts";
import { checkNoteSearch } from "#domain/search/note-search.ts";

const FILES_SHOWN = 8;
const NOTES_SHOWN = 5;

/** Places, files and notes by a few words; without words the places and the newest files. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.services;
  const asked = new URL(args.request.url).searchParams.get("q") ?? "";
  const q = [...asked.trim()].slice(0, NEEDLE_MAX).join("");
  const search = q === "" ? null : checkNoteSearch({ q, limit: String(NOTES_SHOWN) });
  const [listing, found] = await Promise.all([
    listFilePage(db, user.id, { q: q || undefined, sort: "created_at_desc", limit: FILES_SHOWN }),
    search === null || isRefusal(search) ? null : searchNotes(db, user.id, search),
  ]);
  const files = isRefusal(listing) ? [] : listing.files;
  return json({
    q,
    files: files.map(({ id, file_name, language }) => ({ id, file_name, language })),
    notes: (found?.notes ?? []).map(({ id, title, preview }) => ({
      id,
      words: title ?? plainPreview(preview),
    })),
  });
}

export const handle: PageHandle = { title: (text) => text.keys.goTitle };

export default function Go() {
  const { q, files, notes } = useLoaderData<typeof loader>();
  const text = useText().keys;
  const places = usePlaces().filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  const nothing = places.length + files.length + notes.length === 0;
  return (
    <div className="go" data-go>
      <div className="page-head">
        <h1 id="go-title">{text.goTitle}</h1>
        <SheetClose />
      </div>
      <search>
        <form className="go-form" method="get" action="/go">
          <SearchInput label={text.goLabel} asked={q} />
          <button className="button" type="submit">
            {text.goButton}
          </button>
        </form>
      </search>
      <div className="go-results" data-go-results aria-live="polite">
        {nothing && <p className="soft">{text.goNothing}</p>}
        <Part title={text.goPlaces} count={places.length}>
          {places.map(({ href, icon, name }) => (
            <Way key={href} href={href} icon={<Icon name={icon} />} words={name} />
          ))}
        </Part>
        <Part title={text.goFiles} count={files.length}>
          {files.map(({ id, file_name, language }) => (
            <Way
              key={id}
              href={`/file/${id}`}
              icon={<LanguageDot language={language} />}
              words={<FileName name={file_name} />}
            />
          ))}
        </Part>
        <Part title={text.goNotes} count={notes.length}>
          {notes.map(({ id, words }) => (
            <Way key={id} href={`/note/${id}`} icon={<Icon name="note" />} words={<bdi>{words}</bdi>} />
          ))}
        </Part>
      </div>
    </div>
  );
}

function Part({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function Way({ href, icon, words }: { href: string; icon: ReactNode; words: ReactNode }) {
  return (
    <li>
      <a className="rail-link" href={href}>
        {icon}
        {words}
      </a>
    </li>
  );
}
