export type RunWatch = ReturnType<typeof createRunWatch>;

/** Waits for something to happen to a run. A call of `wake` between two waits ends the next wait at once. */
export function createRunWatch(signal: AbortSignal) {
  let isWoken = signal.aborted;
  let endWait = () => {};
  const wake = () => {
    isWoken = true;
    endWait();
  };
  signal.addEventListener("abort", wake);
  return {
    wake,
    close: () => signal.removeEventListener("abort", wake),
    wait: async (ms: number) => {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        endWait = resolve;
        timer = setTimeout(resolve, ms);
        if (isWoken) resolve();
      });
      clearTimeout(timer);
      isWoken = false;
    },
  };
}
