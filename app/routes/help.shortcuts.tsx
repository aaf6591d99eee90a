import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { GO_TO, KEYS, type ShortcutTarget } from "#app/shortcuts.ts";
import { SheetClose } from "#app/ui/frame/sheet-close.tsx";
import { listKeys } from "#domain/typed-keys.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json(null);
}

export const handle: PageHandle = { title: (text) => text.keys.title };

/** Every key that does something; over another page it is shown by `?`. */
export default function Shortcuts() {
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
    <div className="shortcuts" data-shortcuts-help>
      <div className="page-head">
        <h1 id="shortcuts-title">{text.title}</h1>
        <SheetClose />
      </div>
      {off && <p className="soft">{text.off}</p>}
      <dl className="key-list">
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
    <div>
      <dt>{words}</dt>
      <dd dir="ltr">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
