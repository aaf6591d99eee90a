/**
 * Loaded before a script that runs in a process group of its own: when the process that started it dies without a word
 * (kill -9), the script gets the SIGTERM that its parent can no longer send. Never keeps a finished script alive.
 */
if (process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
