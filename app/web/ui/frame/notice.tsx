import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";

type NoticeProps = {
  isWrong?: boolean;
  isSaved?: boolean;
  /** A `p` with the words, and the actions. */
  children: ReactNode;
};

/** A message; `enhance/toast.ts` closes it. */
export function Notice({ isWrong = false, isSaved = false, children }: NoticeProps) {
  const { close } = useText().keys;
  return (
    <div
      className={`notice line-up edge lifted ink ${isWrong ? "notice-wrong wrong-ground" : "good-ground"}`}
      role={isWrong ? "alert" : "status"}
      data-saved={isSaved ? "" : undefined}
    >
      <Icon name={isWrong ? "alert" : "check"} />
      {children}
      <button
        className="button button-small button-quiet needs-script"
        type="button"
        aria-label={close}
        title={close}
        data-toast-close
      >
        <Icon name="remove" />
      </button>
    </div>
  );
}
