/** Explains a failed npm: one sentence per known reason, otherwise npm's own output. */
const NEEDED_MB = 700;

const REASONS = [
  [/ENOSPC|no space left/i, `The disk is full: free about ${NEEDED_MB} MB and start again.`],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|network (request|timeout)/i,
    "The packages cannot be downloaded: npm does not reach its registry. Connect to the network, or set npm's proxy, and start again.",
  ],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    "The packages cannot be written here: make this folder yours (or clone it into one that is) and start again.",
  ],
];

const NOT_FOUND = 127;

export function explainInstallFailure(output, exit) {
  if (exit === NOT_FOUND && /npm/.test(output) && !/npm (error|ERR!)/.test(output))
    return "npm was not found: install Node 20 or newer with npm (https://nodejs.org) and start again.";
  const knownReason = REASONS.find(([pattern]) => pattern.test(output));
  return knownReason ? knownReason[1] : `${output.trim()}\nnpm did not succeed; its message is above.`;
}
