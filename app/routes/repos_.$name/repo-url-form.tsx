import { useText } from "#app/i18n/text.ts";
import type { HeadRepo } from "#app/repos/repo-head.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import type { RefusalCode } from "#domain/refusal.ts";
import type { SyncError } from "#domain/repos/repo.ts";

/** Failures that another address or token can fix. */
const MENDED_BY_ADDRESS: readonly SyncError[] = [
  "address_refused",
  "unreachable",
  "certificate_untrusted",
  "remote_not_found",
  "access_denied",
  "moved",
  "token_unreadable",
];

type FormProps = { repo: HeadRepo; typed: string | undefined; refused: RefusalCode | undefined };

/** Changes the address of a mirror that failed or has no files, and syncs it from there. */
export function RepoUrlForm({ repo, typed, refused }: FormProps) {
  const text = useText().repos;
  const { error, url, has_token } = repo;
  const isOpen = refused !== undefined || (error !== null && MENDED_BY_ADDRESS.includes(error));
  return (
    <details className="form-wide around-4" open={isOpen}>
      <summary className="small reach">{text.changeUrl}</summary>
      <form className="form gap-4 above-3" method="post">
        <RefusalAlert code={refused} />
        <Field
          name="url"
          label={text.url}
          value={typed ?? url}
          hint={text.urlHint}
          code
          dir="ltr"
          required
          invalid={refused === "repo_url_not_allowed" || refused === "repo_url_not_public"}
        />
        <Field
          name="token"
          label={text.token}
          value={undefined}
          hint={has_token ? text.tokenKeptHint : text.tokenHint}
          type="password"
          code
          dir="ltr"
          invalid={refused === "invalid_repo_token"}
        />
        <div className="actions">
          <button className="button button-primary" type="submit">
            <Icon name="sync" />
            {text.saveUrl}
          </button>
        </div>
      </form>
    </details>
  );
}
