// Without it there is no service worker and no such page; with it the placeholder of a slow page is replaced once the page has arrived.

const OWN_PATH = "/frame";

export function enhancePlaceholderPage(): void {
  const { serviceWorker } = navigator;
  const isFrame = location.pathname !== OWN_PATH && document.querySelector("[data-waiting]") !== null;
  if (!isFrame || !serviceWorker?.controller) return;
  const open = () => location.replace(location.href);
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.arrived !== location.href) return;
    if (!("prerendering" in document && document.prerendering)) open();
    else document.addEventListener("prerenderingchange", open, { once: true });
  });
  serviceWorker.controller.postMessage({ frame: location.href });
}
