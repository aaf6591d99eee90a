type ChoiceProps<Value> = {
  name: string;
  /** Where several fields of a page have one name. */
  id?: string;
  label: string;
  chosen?: string;
  /** What an empty choice is called, where there is one. */
  none?: string;
  options: readonly Value[];
  write(value: Value): string;
};

/** A select box with its label. */
export function Choice<Value extends string | number | null>({
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
