import type { ReactNode } from "react";

type FieldProps = {
  name: string;
  /** Needed if several fields of a page share a name. */
  id?: string;
  label: string;
  value: string | undefined;
  hint?: string;
  code?: boolean;
  dir?: "auto" | "ltr";
  /** The id of a `datalist` with suggestions. */
  list?: string;
  type?: "password" | "date";
  min?: string;
  max?: string;
  autoComplete?: "off" | "new-password";
  required?: boolean;
  invalid?: boolean;
  /** True if a link leads to this field. */
  takesFocus?: boolean;
  children?: ReactNode;
};

export function Field({
  name,
  id = name,
  label,
  value,
  hint,
  code = false,
  dir = "auto",
  list,
  type,
  min,
  max,
  autoComplete = "off",
  required,
  invalid = false,
  takesFocus,
  children,
}: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className={code ? "input code" : "input"}
        id={id}
        name={name}
        type={type}
        min={min}
        max={max}
        dir={dir}
        required={required}
        // biome-ignore lint/a11y/noAutofocus: only where a link to this field was followed, or its text was refused
        autoFocus={takesFocus || invalid}
        autoComplete={autoComplete}
        list={list}
        defaultValue={value}
        aria-invalid={invalid || undefined}
        aria-describedby={hint && `${id}-hint`}
      />
      {hint && (
        <p className="soft small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  );
}
