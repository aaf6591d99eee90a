import { execFileSync } from "node:child_process";
import { PROJECT_ROOT } from "#platform/project-root.ts";

/** The names of the main branch; the second one is for a clone without a remote. */
const MAIN_BRANCHES = ["origin/HEAD", "main"];

/**
 * True if files below a folder differ from the main branch, by commits or in the working tree. Without a repository or a main branch
 * nothing can be compared, and nothing differs.
 */
export function differsFromMain(folder: string): boolean {
  const git = (...words: string[]) => {
    try {
      const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
      return execFileSync("git", words, { cwd: PROJECT_ROOT, encoding: "utf8", stdio }).trim();
    } catch {
      return "";
    }
  };
  const base = MAIN_BRANCHES.map((branch) => git("merge-base", "HEAD", branch)).find(Boolean);
  if (!base) return false;
  const changed = git("diff", "--name-only", base, "--", folder);
  return changed !== "" || git("ls-files", "--others", "--exclude-standard", "--", folder) !== "";
}
