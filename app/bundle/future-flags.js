/** The choices of Remix that this application is built with, by its own build and by the one that development runs on. */
export const FUTURE_FLAGS = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_throwAbortReason: true,
  // Its manifest endpoint can be made to do unbounded work; off, it does not exist.
  v3_lazyRouteDiscovery: false,
  // Costs a fifth to a third more CPU for each page and gives these pages nothing.
  v3_singleFetch: false,
};
