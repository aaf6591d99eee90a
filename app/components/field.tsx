type FieldProps = {
  name: string;
  label: string;
  value: string | undefined;
  hint?: string;
  code?: boolean;
  invalid?: boolean;
};

/** One line to type into, with its label and, where the label does not say enough, a hint. */
export function Field({ name, label, value, hint, code = false, invalid = false }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className={code ? "input code" : "input"}
        id={name}
        name={name}
        dir="auto"
        autoComplete="off"
        defaultValue={value}
        aria-invalid={invalid || undefined}
        aria-describedby={hint && `${name}-hint`}
      />
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
