/** Calls `work` once things have been quiet for `waitMs`; `now()` does not wait, `cancel()` forgets. */
export function debounce(work, waitMs = 250) {
  let timer = null;
  let latest = [];

  const now = () => {
    cancel();
    return work(...latest);
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = null;
  };
  const debounced = (...args) => {
    latest = args;
    clearTimeout(timer);
    timer = setTimeout(now, waitMs);
  };
  return Object.assign(debounced, { now, cancel });
}
