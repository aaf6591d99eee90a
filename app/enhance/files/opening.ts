// Without it no page is prefetched, so each counts as opened when it is fetched; with it a prefetched page counts when it is shown.

const FILE_PAGE = /^\/(?:file|md|svg)\/(\w+)$/;

export function enhanceOpenedReport(): void {
  const [, id] = FILE_PAGE.exec(location.pathname) ?? [];
  if (!id || document.body.dataset.early === undefined) return;
  const body = new URLSearchParams({ intent: "opened" });
  void fetch(`/file/${id}`, { method: "POST", body, keepalive: true }).catch(() => undefined);
}
