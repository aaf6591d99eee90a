import { json, type LoaderFunctionArgs } from "@remix-run/node";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { GO_TO, KEYS, type ShortcutTarget } from "#app/shortcuts.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { SheetClose } from "#app/web/ui/frame/sheet-close.tsx";
import { listKeys } from "#domain/typed-keys.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json(null);
}

export const handle: PageHandle = { title: (text) => text.help.title };

type Topic = keyof Dictionary["help"]["topics"];

const TOPIC_PAGES: Record<Topic, string> = {
  find: "/search",
  notes: "/notes",
  reminders: "/settings/devices",
  sharing: "/shares",
  running: "/tools/code",
};

export default function Help() {
  const text = useText().help;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <div className="columns-20 stack below-8">
        {listKeys(TOPIC_PAGES).map((topic) => (
          <section key={topic} className="card packed gap-1">
            <h2 className="plain-size">{text.topics[topic].title}</h2>
            <p>
              {text.topics[topic].text} <a href={TOPIC_PAGES[topic]}>{text.topics[topic].link}</a>
            </p>
          </section>
        ))}
      </div>
      <Shortcuts />
    </>
  );
}

function Shortcuts() {
  const { keys: text, nav, reminders } = useText();
  const places: Record<ShortcutTarget, string> = {
    d: nav.dashboard,
    f: nav.files,
    n: nav.notes,
    b: nav.boards,
    r: reminders.title,
    t: nav.trash,
  };
  const off = usePage().person?.shortcuts === false;
  return (
    <div className="shortcuts grid column gap-4 form-wide" data-shortcuts-help>
      <div className="page-head flush">
        <h2 id="shortcuts-title">{text.title}</h2>
        <SheetClose />
      </div>
      {off && <p className="soft">{text.off}</p>}
      <dl className="columns-20 grid flush gap-8 rows-0">
        {listKeys(KEYS).map((action) => (
          <Row key={action} keys={KEYS[action]} words={text.actions[action]} />
        ))}
        {listKeys(GO_TO).map((key) => (
          <Row key={key} keys={["g", key]} words={places[key]} />
        ))}
      </dl>
      <p className="soft">
        {text.lead} <a href="/settings#settings-keys">{text.choose}</a>
      </p>
    </div>
  );
}

function Row({ keys, words }: { keys: readonly string[]; words: string }) {
  return (
    <div className="line-up spread gap-4 target edge-below">
      <dt>{words}</dt>
      <dd className="flex rigid gap-1" dir="ltr">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
