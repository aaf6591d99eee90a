// Without it the exact time on hover is in UTC until a zone is chosen; with it in the reader's time zone.

export function enhanceLocalTime(): void {
  if (document.body.dataset.timeZone) return;
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "long",
    hourCycle: "h23",
  });
  for (const time of document.querySelectorAll("time")) time.title = format.format(new Date(time.dateTime));
}
