/** The web process, which tells what it holds when it is asked: after a collection, so that garbage does not count. */
process.on("message", (asked) => {
  if (asked !== "weigh") return;
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});
await import("#app/server.ts");

export {};
