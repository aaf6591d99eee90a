/** Remix's flags, used by our build and by the development build. */
export const FUTURE_FLAGS = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_throwAbortReason: true,
  // Its manifest endpoint can be made to do unbounded work, so it stays off.
  v3_lazyRouteDiscovery: false,
  // Costs a fifth to a third more CPU for each page and gives these pages nothing.
  v3_singleFetch: false,
};
