import type { ReactNode } from "react";
import { CopyButton } from "#app/web/ui/copy-button.tsx";

type CopyFieldProps = {
  value: string;
  /** The label of the field, unless a label names its id. */
  named: string;
  id?: string;
  hintId?: string;
  small?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A text to copy. Without JavaScript people select it in the field. */
export function CopyField({ value, named, id, hintId, small, className, children }: CopyFieldProps) {
  return (
    <div className={className ? `field-line ${className}` : "field-line"}>
      <input
        className={small ? "input input-small code" : "input code"}
        id={id}
        dir="ltr"
        readOnly
        value={value}
        aria-label={id ? undefined : named}
        aria-describedby={hintId}
      />
      {children}
      <CopyButton text={value} named={named} />
    </div>
  );
}
