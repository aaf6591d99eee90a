/**
 * Loaded before a script that leads its own process group. If the process that started it is killed (kill -9), the group gets the SIGTERM
 * that its parent can no longer send. It does not keep a finished script alive and is not passed on to the script's children.
 */
if (process.channel) {
  process.execArgv.splice(process.execArgv.indexOf("--import"), 2);
  process.once("disconnect", () => process.kill(-process.pid, "SIGTERM"));
  process.channel.unref();
}
