/** Parses the processes of a Procfile by name: `name: command` per line, `#` for comments. */
export function parseProcfile(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const [, name, command] = /^([A-Za-z0-9_-]+):\s*(.+?)\s*$/.exec(line) ?? [];
    if (!name || !command) throw new Error(`Procfile, line ${index + 1}: expected "name: command".`);
    entries.set(name, command);
  }
  return entries;
}
