import type { Call } from "./command.ts";
import { listContents, parseLibraryPath } from "./library.ts";
import { cleanName, EXIT, usageFailure } from "./output.ts";
import { openSession } from "./session.ts";

/** Completes a path of the library; folders end in a slash. */
export async function paths({ output, words }: Call) {
  const session = await openSession(output);
  const typed = words[0] ?? "";
  const contents = await listContents(session, parseLibraryPath(typed.slice(0, typed.lastIndexOf("/") + 1)));
  const matches = [
    ...(contents?.folders ?? []).map(({ path }) => `${path}/`),
    ...(contents?.files ?? []).map(({ path }) => path),
  ].filter((path) => path.startsWith(typed) && cleanName(path) === path);
  for (const path of matches) output.printLine(path);
  output.printJson({ ok: true, paths: matches });
  return EXIT.ok;
}

const toBashScript = (
  names: string,
  options: string,
) => `# codeshelf completion for bash: eval "$(codeshelf completion bash)"
_codeshelf() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]:-}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} --help --version"
  elif [ "\${current#-}" != "$current" ]; then
    case "$command" in
${options}
    esac
  else
    case "$command" in
      completion) words="bash zsh" ;;
      push|sync|run) compopt -o default 2>/dev/null; return ;;
      pull|cat|ls|share|note|open)
        local path IFS=$'\\n'
        compopt -o nospace -o filenames 2>/dev/null
        for path in $("\${COMP_WORDS[0]}" paths "$current" 2>/dev/null); do COMPREPLY+=("$path"); done
        return ;;
    esac
  fi
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _codeshelf codeshelf
`;

const toZshScript = (names: string, options: string) => `#compdef codeshelf
# codeshelf completion for zsh: eval "$(codeshelf completion zsh)"
_codeshelf() {
  local -a words_found
  if (( CURRENT == 2 )); then
    words_found=(${names})
    _describe 'command' words_found
  elif [[ "$PREFIX" == -* ]]; then
    case "$words[2]" in
${options}
    esac
    compadd -a words_found
  else
    case "$words[2]" in
      completion) compadd bash zsh ;;
      push|sync|run) _files ;;
      pull|cat|ls|share|note|open)
        words_found=("\${(@f)$("$words[1]" paths "$PREFIX" 2>/dev/null)}")
        compadd -S '' -a words_found ;;
    esac
  fi
}
compdef _codeshelf codeshelf
`;

export async function completion({ output, words, commands }: Call) {
  const shown = Object.entries(commands).filter(([, { hidden }]) => !hidden);
  const listFlags = (options: object = {}) =>
    ["json", "help", ...Object.keys(options)].map((flag) => `--${flag}`).join(" ");
  const toCases = (before: string, after: string) =>
    shown.map(([name, { options }]) => `      ${name}) ${before}${listFlags(options)}${after} ;;`).join("\n");
  const scripts: Record<string, () => string> = {
    bash: () => toBashScript(shown.map(([name]) => name).join(" "), toCases('words="', '"')),
    zsh: () =>
      toZshScript(
        shown.map(([name, { summary }]) => `'${name}:${summary}'`).join(" "),
        toCases("words_found=(", ")"),
      ),
  };
  const [shell = ""] = words;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell]?.() : undefined;
  if (!script) throw usageFailure("There are completions for bash and zsh.");
  if (output.json) output.printJson({ ok: true, shell, script });
  else process.stdout.write(script);
  return EXIT.ok;
}
