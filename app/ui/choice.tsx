import type { ReactNode } from "react";

type ChoiceProps = { name: string; label: string; chosen?: string; children: ReactNode };

/** One of several, with its label; the children are the options. */
export function Choice({ name, label, chosen, children }: ChoiceProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select className="input" id={name} name={name} defaultValue={chosen}>
        {children}
      </select>
    </div>
  );
}
