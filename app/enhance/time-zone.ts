// Without it times are in UTC until a zone is chosen; with it an account without a zone gets this device's zone.

export function enhanceTimeZone(): void {
  if (document.body.dataset.timeZone !== "") return;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!timezone) return;
  for (const field of document.querySelectorAll<HTMLInputElement>("[data-time-zone]"))
    if (field.value === field.defaultValue) field.value = timezone;
  void fetch("/preferences", {
    method: "POST",
    body: new URLSearchParams({ timezone, detected: "1" }),
    redirect: "manual",
  }).catch(() => undefined);
}
