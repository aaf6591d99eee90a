import { useText } from "#app/i18n/text.ts";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { RefusalCode } from "#domain/refusal.ts";

type MirrorProps = { typed: { url: string; name: string } | null; refused: RefusalCode | undefined };

export function MirrorForm({ typed, refused }: MirrorProps) {
  const text = useText().repos;
  return (
    <form className="card card-roomy form-wide" method="post">
      <Field
        name="url"
        label={text.url}
        value={typed?.url}
        hint={text.urlHint}
        code
        invalid={typed !== null && (refused === "repo_url_not_allowed" || refused === "repo_url_not_public")}
      />
      <details open={typed !== null && typed.name !== ""}>
        <summary className="small reach">{text.more}</summary>
        <div className="fields-row above-3">
          <Field
            name="name"
            label={text.name}
            value={typed?.name}
            hint={text.nameHint}
            code
            invalid={typed !== null && (refused === "invalid_repo_name" || refused === "repo_name_taken")}
          />
          <Field
            name="token"
            label={text.token}
            value={undefined}
            hint={text.tokenHint}
            type="password"
            code
            dir="ltr"
            invalid={refused === "invalid_repo_token"}
          />
        </div>
      </details>
      <div className="actions">
        <button className="button button-primary" type="submit" name="intent" value="mirror">
          <Icon name="plus" />
          {text.mirror}
        </button>
      </div>
    </form>
  );
}
