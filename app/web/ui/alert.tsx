import type { ReactNode } from "react";
import { Icon } from "#app/web/ui/icon.tsx";

export function Alert({ caution = false, children }: { caution?: boolean; children: ReactNode }) {
  return (
    <div className={caution ? "alert alert-caution" : "alert"} role="alert">
      <Icon name="alert" />
      <p>{children}</p>
    </div>
  );
}
