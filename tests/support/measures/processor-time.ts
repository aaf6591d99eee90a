/** The processor time of the test's own thread in milliseconds; other threads do not count. */
export async function ownProcessorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const used = process.threadCpuUsage(before);
  return (used.user + used.system) / 1000;
}
