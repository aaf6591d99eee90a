/** Processor time that the thread of the test itself used for something, in milliseconds; what threads of its own use is not counted. */
export async function ownProcessorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const used = process.threadCpuUsage(before);
  return (used.user + used.system) / 1000;
}
