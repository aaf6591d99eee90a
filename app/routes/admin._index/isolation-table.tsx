import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Table } from "#app/web/ui/table.tsx";
import { listKeys } from "#domain/typed-keys.ts";

type LayerWord = keyof Dictionary["operators"]["isolation"]["layers"];
type IsolatedWorker = { worker_id: string; isolation: { missing: string[]; git: boolean } | null };

export function IsolationTable({ workers }: { workers: readonly IsolatedWorker[] }) {
  const { operators: text } = useText();
  const { isolation: words } = text;
  if (workers.length === 0) return <p className="soft">{words.unreported}</p>;
  return (
    <Table name={words.title} headings={[text.worker, words.holds, words.missing]} stacked>
      {workers.map(({ worker_id, isolation }) => (
        <tr key={worker_id}>
          <th scope="row">
            <code dir="ltr">{worker_id}</code>
          </th>
          <td data-label={words.holds}>
            {isolation ? <Layers of={isolation} missing={false} /> : words.unreported}
          </td>
          <td data-label={words.missing}>
            {isolation ? <Layers of={isolation} missing /> : words.unreported}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Layers({
  of: { missing, git },
  missing: isMissingList,
}: {
  of: NonNullable<IsolatedWorker["isolation"]>;
  missing: boolean;
}) {
  const { isolation: words } = useText().operators;
  const isMissing = (name: LayerWord) => (name === "git" ? !git : missing.includes(name));
  const names = listKeys(words.layers).filter((name) => isMissing(name) === isMissingList);
  if (names.length === 0) return <>{words.none}</>;
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <span className={isMissingList ? "status status-failed" : "status status-completed"}>
            {isMissingList ? words.gaps[name] : words.layers[name]}
          </span>
        </li>
      ))}
    </ul>
  );
}
