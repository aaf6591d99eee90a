// Without it the browser's own menu installs the app; with it also our button, if the browser offers it.

type InstallEvent = Event & { prompt(): Promise<unknown> };

export function enhanceInstall(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-install]");
  if (!button) return;
  let offer: InstallEvent | null = null;
  window.addEventListener("beforeinstallprompt", (event) => {
    // The DOM types lack this event.
    offer = event as InstallEvent;
    button.hidden = false;
  });
  window.addEventListener("appinstalled", () => {
    button.hidden = true;
  });
  button.addEventListener("click", () => void offer?.prompt());
}
