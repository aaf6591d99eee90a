// Without it the browser's own menu installs; with it a button of ours does where the browser offers it.

type InstallEvent = Event & { prompt(): Promise<unknown> };

export function enhanceInstall(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-install]");
  if (!button) return;
  let offer: InstallEvent | null = null;
  window.addEventListener("beforeinstallprompt", (event) => {
    // The types of browsers do not know this event.
    offer = event as InstallEvent;
    button.hidden = false;
  });
  window.addEventListener("appinstalled", () => {
    button.hidden = true;
  });
  button.addEventListener("click", () => void offer?.prompt());
}
