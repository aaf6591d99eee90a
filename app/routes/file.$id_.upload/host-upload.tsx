import type { HostTree, TargetState } from "#app/codehost/host-tree.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import type { RefusalCode } from "#domain/refusal.ts";
import { baseName } from "#domain/repos/repo.ts";

export type TypedUpload = {
  intent?: string;
  repo_name: string;
  path: string;
  branch: string;
  message: string;
};

type UploadProps = {
  repos: readonly { repo_name: string; branch: string | null }[];
  typed: TypedUpload;
  refused: RefusalCode | undefined;
  checked: HostTree | undefined;
  back: string;
};

export function HostUpload({ repos, typed, refused, checked, back }: UploadProps) {
  const { repos: text, notes } = useText();
  return (
    <form className="form" method="post">
      <RefusalAlert code={refused} />
      {refused && typed.intent === "check" && <p className="soft">{text.uploadUnchecked}</p>}
      <div className="field">
        <label htmlFor="repo_name">{text.uploadRepo}</label>
        <select
          className="input"
          id="repo_name"
          name="repo_name"
          defaultValue={typed.repo_name || repos[0]?.repo_name}
        >
          {repos.map(({ repo_name, branch }) => (
            <option key={repo_name} value={repo_name}>
              {isolateLtr(branch ? `${repo_name} (${branch})` : repo_name)}
            </option>
          ))}
        </select>
      </div>
      <Field
        name="path"
        label={text.uploadPath}
        value={typed.path}
        code
        hint={checked && text.uploadFolders(checked.folders.length, checked.whole)}
        list={checked && "host-paths"}
        invalid={refused === "codehost_rejected"}
      />
      {checked && <HostPathSuggestions folders={checked.folders} path={typed.path} />}
      <Field
        name="branch"
        label={text.uploadBranch}
        value={typed.branch}
        hint={text.uploadBranchHint}
        code
        invalid={refused === "codehost_not_found"}
      />
      <Field name="message" label={text.uploadMessage} value={typed.message} hint={text.uploadMessageHint} />
      {checked && <HostCheck target={checked.target} path={typed.path} />}
      <div className="actions">
        <button className="button button-primary" type="submit">
          <Icon name="share" />
          {text.uploadDo}
        </button>
        <button className="button" type="submit" name="intent" value="check">
          <Icon name="search" />
          {text.uploadCheck}
        </button>
        <a className="button" href={back}>
          {notes.cancel}
        </a>
      </div>
    </form>
  );
}

/** Offers the file's name in every existing folder as a complete path. */
function HostPathSuggestions({ folders, path }: { folders: readonly string[]; path: string }) {
  const name = baseName(path);
  return (
    <datalist id="host-paths">
      {folders.map((folder) => (
        <option key={folder} value={`${folder}/${name}`} />
      ))}
    </datalist>
  );
}

const WRONG: readonly TargetState[] = ["folder", "blocked"];

function HostCheck({ target, path }: { target: TargetState; path: string }) {
  const text = useText().repos.uploadTargets;
  if (WRONG.includes(target)) return <Alert>{text[target](path)}</Alert>;
  return (
    <p className="breaks line-up gap-2" role="status">
      <Icon name={target === "unknown" ? "help" : "check"} />
      <span>{text[target](path)}</span>
    </p>
  );
}
