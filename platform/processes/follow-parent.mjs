/**
 * Loaded before a script that leads a process group of its own: when the process that started it is killed
 * (kill -9), the group gets the SIGTERM that its parent can no longer send. Never keeps a finished script alive, and is
 * not handed on to what the script forks.
 */
if (process.channel) {
  process.execArgv.splice(process.execArgv.indexOf("--import"), 2);
  process.once("disconnect", () => process.kill(-process.pid, "SIGTERM"));
  process.channel.unref();
}
