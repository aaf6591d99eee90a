import { useText } from "#app/i18n/text.ts";
import { ROLES } from "#domain/accounts/role.ts";

export function RoleRights() {
  const { people: text, roles } = useText();
  return (
    <dl className="soft role-rights small below-4">
      {ROLES.map((role) => (
        <div key={role}>
          <dt>{roles[role]}</dt>
          <dd>{text.rights[role]}</dd>
        </div>
      ))}
    </dl>
  );
}
