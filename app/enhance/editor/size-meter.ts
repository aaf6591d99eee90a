// Without it the meter beside a text shows the saved size; with it the typed one.
import { formatBytesBesideLimit } from "#app/web/ui/size-text.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export function enhanceSizeMeters(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-measured]")) {
    const words = document.getElementById(field.dataset.measured ?? "");
    const meter = words?.parentElement?.querySelector("meter");
    const size = words?.querySelector("[data-size]");
    if (!meter || !size) continue;
    const measure = () => {
      const bytes = utf8Bytes(field.value.trim());
      meter.value = bytes;
      size.textContent = formatBytesBesideLimit(bytes, meter.max);
      field.toggleAttribute("aria-invalid", false);
      if (bytes > meter.max) field.setAttribute("aria-invalid", "true");
    };
    field.addEventListener("input", measure);
  }
}
