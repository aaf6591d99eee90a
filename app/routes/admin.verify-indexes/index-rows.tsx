import { useText } from "#app/i18n/text.ts";
import { Table } from "#app/web/ui/table.tsx";

type State = "present" | "missing" | "different" | "unchecked";
type IndexRow = {
  index: string;
  key: Record<string, number>;
  options: { unique?: unknown; expireAfterSeconds?: unknown; partialFilterExpression?: unknown };
  state: State;
};
type CollectionRow = { collection: string; indexes: IndexRow[]; others: string[] };

export function IndexRows({ collections }: { collections: CollectionRow[] }) {
  return (
    <ul className="rows">
      {collections.map((row) => (
        <li key={row.collection}>
          <CollectionIndexes row={row} />
        </li>
      ))}
    </ul>
  );
}

function CollectionIndexes({ row: { collection, indexes, others } }: { row: CollectionRow }) {
  const { indexes: text, state: stateHeading } = useText().operators;
  const worst = indexes.find(({ state }) => state !== "present")?.state ?? "present";
  const allPresent = worst === "present" && indexes.length > 1;
  const name = <code dir="ltr">{collection}</code>;
  if (indexes.length + others.length === 0)
    return (
      <p className="cluster index-line target gap-4 rows-0 pad-3 pad-block-1">
        {name}
        <span className="soft small">{text.noIndexes}</span>
      </p>
    );
  return (
    <details open={worst !== "present"}>
      <summary className="cluster index-line lights-up target gap-4 rows-0 pad-3 pad-block-1">
        {name}
        <span className="soft small">{text.collection(indexes.length)}</span>
        <IndexStateLabel
          state={worst}
          words={allPresent ? text.allPresent : undefined}
          className="pushed small"
        />
      </summary>
      {indexes.length > 0 && (
        <Table
          name={`${text.title}: ${collection}`}
          headings={[text.index, stateHeading, text.key, text.options]}
          stacked
        >
          {indexes.map((index) => (
            <tr key={index.index}>
              <th scope="row">
                <code dir="ltr">{index.index}</code>
              </th>
              <td data-label={stateHeading}>
                <IndexStateLabel state={index.state} />
              </td>
              <td className="wide" data-label={text.key}>
                <code dir="ltr">{toKeyText(index.key)}</code>
              </td>
              <td className="wide" data-label={text.options}>
                <Options options={index.options} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {others.length > 0 && (
        <p className="small">
          {text.others} <code dir="ltr">{others.join(", ")}</code>
        </p>
      )}
    </details>
  );
}

const LOOKS = { present: "completed", missing: "failed", different: "failed", unchecked: "unchecked" };

type StateProps = { state: State; words?: string; className?: string };

export function IndexStateLabel({ state, words, className = "" }: StateProps) {
  const text = useText().operators.indexes;
  return <span className={`status status-${LOOKS[state]} ${className}`}>{words ?? text.states[state]}</span>;
}

function Options({ options }: { options: IndexRow["options"] }) {
  const text = useText().operators.indexes;
  const { unique, expireAfterSeconds, partialFilterExpression: partial } = options;
  return (
    <ul className="cluster gap-3 rows-0">
      {unique === true && <li>{text.unique}</li>}
      {typeof expireAfterSeconds === "number" && <li>{text.expires(expireAfterSeconds)}</li>}
      {partial !== undefined && (
        <li>
          {text.partial} <code dir="ltr">{JSON.stringify(partial)}</code>
        </li>
      )}
    </ul>
  );
}

const toKeyText = (key: Record<string, number>) =>
  Object.entries(key)
    .map(([field, direction]) => `${field} ${direction > 0 ? "↑" : "↓"}`)
    .join(", ");
