type ChoiceProps<Value> = {
  name: string;
  /** Needed if several fields of a page share a name. */
  id?: string;
  label: string;
  chosen?: string;
  /** The label of the empty option, if there is one. */
  none?: string;
  options: readonly Value[];
  write(value: Value): string;
};

export function SelectField<Value extends string | number | null>({
  name,
  id = name,
  label,
  chosen,
  none,
  options,
  write,
}: ChoiceProps<Value>) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select className="input" id={id} name={name} defaultValue={chosen}>
        {none && <option value="">{none}</option>}
        {options.map((value) => (
          <option key={value} value={String(value)}>
            {write(value)}
          </option>
        ))}
      </select>
    </div>
  );
}
