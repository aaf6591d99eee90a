import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/admin.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { readRefererPath } from "#app/web/door/referer.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { toPublicOrigin } from "#app/web/session/oidc/oidc-login.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { createInvitation, listOpenInvitations, removeInvitation } from "#db/accounts/invitations.server.ts";
import { answerJoinRequest, listOpenJoinRequests } from "#db/accounts/join-requests.server.ts";
import { findPerson, listPeople, setUserRole } from "#db/accounts/people.server.ts";
import { lockAccount, unlockAccount } from "#db/operations/account-lock.server.ts";
import { endAllCredentials } from "#db/operations/credentials.server.ts";
import { invitationPath } from "#domain/accounts/invitation.ts";
import { appointedRole, ROLES } from "#domain/accounts/role.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { type InvitationForm, type JoinAnswerForm, type UserForm, userForm } from "./form.server.ts";
import { Invitations } from "./invitations.tsx";
import { JoinRequests } from "./join-requests.tsx";
import { PersonRow } from "./person-row.tsx";

const SHOWN = 50;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireAdmin(args);
  const { db, env } = args.context.services;
  const { searchParams } = new URL(args.request.url);
  const q = searchParams.get("q")?.trim() ?? "";
  const page = await listPeople(db, { q, after: searchParams.get("after") ?? "", limit: SHOWN });
  const people = page.people.map(({ identity_keys, ...person }) => ({
    ...person,
    appointed: appointedRole({ id: person.id, identity_keys }, env),
    isYou: person.id === user.id,
  }));
  const invitations =
    env.signUp === "invited" ? await listOpenInvitations(db, args.context.services.clock()) : null;
  const joinRequests =
    env.signUp === "invited" ? await listOpenJoinRequests(db, args.context.services.clock()) : [];
  const { signUp } = env;
  return json({ people, next: page.next, damaged: page.damaged, q, signUp, invitations, joinRequests });
}

/** A refused change of a person redirects back with a message, because the form has no typed text that could be lost. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireAdmin(args);
  const form = await readForm(args, userForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  if (form.intent === "approve" || form.intent === "decline") return answerJoinForm(args, form);
  if (!("user_id" in form)) return changeInvitations(args, form, user.id);
  const result =
    form.user_id === user.id ? Refusal("own_account") : await changeUser(args.context.services, form);
  if (isRefusal(result)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return answerRefusal(args.request, result, {});
    args.context.session.flash({ say: "refused", code: result.refused });
  } else {
    if (form.intent === "revoke")
      await args.context.session.recordSecurity(form.user_id, { what: "ended_by_admin" });
    args.context.session.flash({ say: "person_changed", what: form.intent });
  }
  return answerSuccess(args.request, { ok: true }, readRefererPath(args.request, "/admin/users"));
}

async function answerJoinForm({ request, context }: ActionFunctionArgs, { id, intent }: JoinAnswerForm) {
  const { db, clock } = context.services;
  const answer = intent === "approve" ? "approved" : "declined";
  const result = await answerJoinRequest(db, id, answer, clock());
  if (isRefusal(result)) return answerRefusal(request, result, {});
  context.session.flash({ say: "person_changed", what: intent });
  return answerSuccess(request, { ok: true }, "/admin/users");
}

/** Only this answer shows the link of a new invitation. */
async function changeInvitations(
  { request, context }: ActionFunctionArgs,
  form: InvitationForm,
  userId: string,
) {
  const { db, clock } = context.services;
  if (form.intent === "uninvite") {
    const result = await removeInvitation(db, form.id);
    if (isRefusal(result)) return answerRefusal(request, result, {});
    context.session.flash({ say: "person_changed", what: "uninvite" });
    return answerSuccess(request, { ok: true }, "/admin/users");
  }
  const invitation = await createInvitation(db, { createdBy: userId, role: "regular" }, clock());
  if (isRefusal(invitation)) return answerRefusal(request, invitation, {});
  return json({ invited: toPublicOrigin(context, request) + invitationPath(invitation.token) });
}

type ChangeUser = (services: WebServices, userId: string) => Promise<unknown>;

const USER_CHANGES: Record<Exclude<UserForm["intent"], "role">, ChangeUser> = {
  revoke: ({ db }, userId) => endAllCredentials(db, userId),
  unlock: ({ db, clock }, userId) => unlockAccount(db, userId, clock()),
  lock: async ({ db, env, clock }, user_id) => {
    const person = await findPerson(db, user_id);
    return person && appointedRole(person, env) === "admin"
      ? Refusal("appointed_admin", { user_id })
      : lockAccount(db, user_id, clock());
  },
};

function changeUser(services: WebServices, form: UserForm): Promise<unknown> {
  return form.intent === "role"
    ? setUserRole(services.db, form.user_id, form.role)
    : USER_CHANGES[form.intent](services, form.user_id);
}

export const handle: PageHandle = { title: (text) => text.people.title };

export const links = linkSheets(styles);

export default function Users() {
  const { people, next, damaged, q, signUp, invitations, joinRequests } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ invited?: string; refusal?: RefusalBody }>();
  const { people: text, files } = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        <form className="line-up gap-2 shrinks" method="get">
          <label className="soft rigid" htmlFor="q-people">
            {text.nameOrId}
          </label>
          <input className="input input-small" id="q-people" name="q" dir="auto" defaultValue={q} />
          <button className="button button-small rigid" type="submit">
            <Icon name="search" />
            {text.find}
          </button>
        </form>
      </div>
      <RefusalAlert code={actionData?.refusal?.code} />
      {signUp !== "invited" && <p className="soft below-3">{text.signUp[signUp]}</p>}
      <JoinRequests requests={joinRequests} />
      {invitations && <Invitations invitations={invitations} invited={actionData?.invited} />}
      {damaged && <Alert caution>{files.cursorDamaged}</Alert>}
      {people.length === 0 ? (
        <EmptyState icon="people" title={text.none}>
          <a className="button" href="/admin/users">
            {text.all}
          </a>
        </EmptyState>
      ) : (
        <>
          <h2 className="below-3">{text.accounts}</h2>
          <RoleRights />
          <ul className="rows">
            {people.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
          </ul>
        </>
      )}
      {next && (
        <nav className="pager screen-only" aria-label={files.pages}>
          <a
            className="button"
            href={`/admin/users?${new URLSearchParams({ ...(q && { q }), after: next })}`}
          >
            {files.next}
            <Icon name="forward" />
          </a>
        </nav>
      )}
    </>
  );
}

function RoleRights() {
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
