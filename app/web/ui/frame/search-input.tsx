import type { InputHTMLAttributes } from "react";
import { NEEDLE_MAX } from "#domain/text/folded.ts";

type SearchInputProps = InputHTMLAttributes<HTMLInputElement> & { label: string; query: string };

export function SearchInput({ label, query, ...more }: SearchInputProps) {
  return (
    <input
      className="input"
      type="search"
      name="q"
      defaultValue={query}
      maxLength={NEEDLE_MAX}
      aria-label={label}
      placeholder={label}
      dir="auto"
      autoComplete="off"
      {...more}
    />
  );
}
