import { Field } from "#app/components/field.tsx";
import { Icon } from "#app/components/icon.tsx";
import { RefusalAlert } from "#app/components/refusal-alert.tsx";
import { useText } from "#app/i18n/text.ts";
import type { RefusalCode } from "#domain/refusal.ts";

export type TypedUpload = { repo_name: string; path: string; branch: string; message: string };

type UploadProps = {
  repos: readonly { repo_name: string; branch: string | null }[];
  typed: TypedUpload;
  refused: RefusalCode | undefined;
  back: string;
};

/** Where a file goes at the code host, and what its commit says. */
export function HostUpload({ repos, typed, refused, back }: UploadProps) {
  const { repos: text, notes } = useText();
  return (
    <form className="form" method="post">
      <RefusalAlert code={refused} />
      <div className="field">
        <label htmlFor="repo_name">{text.uploadRepo}</label>
        <select
          className="input"
          id="repo_name"
          name="repo_name"
          dir="ltr"
          defaultValue={typed.repo_name || repos[0]?.repo_name}
        >
          {repos.map(({ repo_name, branch }) => (
            <option key={repo_name} value={repo_name}>
              {branch ? `${repo_name} (${branch})` : repo_name}
            </option>
          ))}
        </select>
      </div>
      <Field
        name="path"
        label={text.uploadPath}
        value={typed.path}
        code
        invalid={refused === "codehost_rejected"}
      />
      <Field
        name="branch"
        label={text.uploadBranch}
        value={typed.branch}
        hint={text.uploadBranchHint}
        code
        invalid={refused === "codehost_not_found"}
      />
      <Field name="message" label={text.uploadMessage} value={typed.message} hint={text.uploadMessageHint} />
      <div className="actions">
        <button className="button button-primary" type="submit">
          <Icon name="share" />
          {text.uploadDo}
        </button>
        <a className="button" href={back}>
          {notes.cancel}
        </a>
      </div>
    </form>
  );
}
