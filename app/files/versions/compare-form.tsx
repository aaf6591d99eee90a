import { useText } from "#app/i18n/text.ts";

type CompareFormProps = {
  fileId: string;
  versions: readonly number[];
  from: number;
  to: number;
  isSplit?: boolean;
};

export function CompareForm({ fileId, versions, from, to, isSplit }: CompareFormProps) {
  const text = useText().versions;
  const sides = [
    ["from", text.from, from],
    ["to", text.to, to],
  ] as const;
  return (
    <form className="toolbar below-4" action={`/file/${fileId}/compare`}>
      {isSplit && <input type="hidden" name="view" value="split" />}
      {sides.map(([name, label, chosen]) => (
        <div key={name} className="field">
          <label htmlFor={name}>{label}</label>
          <select className="input" id={name} name={name} defaultValue={chosen}>
            {versions.map((version) => (
              <option key={version} value={version}>
                {version}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button className="button" type="submit">
        {text.compare}
      </button>
    </form>
  );
}
