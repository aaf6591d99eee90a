import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/login.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { requireSessionHolder, requireUser } from "#app/web/session/gates.server.ts";
import { forgetBrowser } from "#app/web/session/local-sign-in.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { identityKind, listIdentityKeys } from "#domain/accounts/identity.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { logoutForm } from "./form.server.ts";

/** Logs out, unless another site linked here: then a page asks first. A HEAD request and a prefetch change nothing. */
export async function loader(args: LoaderFunctionArgs) {
  const signedIn = await requireUser(args);
  const { request, context } = args;
  if (context.isFromOtherSite) {
    if (!wantsPage(request.headers.get("Accept"))) throw toRefusalResponse(Refusal("cross_site_request"));
    return json(null);
  }
  if (request.method === "HEAD" || context.early || isForPart(request)) return redirect("/");
  await context.session.signOut(signedIn);
  context.session.flash({ say: "logged_out", provider: findProviderName(signedIn, context) });
  return redirect("/");
}

function findProviderName(
  { user }: Pick<SignedIn, "user">,
  { services }: RequestContext,
): string | undefined {
  const isByProvider = listIdentityKeys(user).some((key) => identityKind(key) === "oidc");
  return isByProvider ? services.oidc?.name : undefined;
}

/** A request for an image or a frame, which nobody opened as a page. */
const isForPart = (request: Request) =>
  !["document", "empty", null].includes(request.headers.get("Sec-Fetch-Dest"));

export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireSessionHolder(args);
  const form = await readForm(args, logoutForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  await (form.everywhere
    ? args.context.session.signOutEverywhere(signedIn)
    : args.context.session.signOut(signedIn));
  if (form.everywhere) forgetBrowser(args.context);
  args.context.session.flash(
    form.everywhere
      ? { say: "logged_out_everywhere" }
      : { say: "logged_out", provider: findProviderName(signedIn, args.context) },
  );
  return answerSuccess(args.request, { ok: true }, "/");
}

/** Never cached, because the page asks only if the request came from another site. */
export const headers = () => ({ "Cache-Control": "no-store" });

export const links = linkSheets(styles);

export const handle: PageHandle = { title: (text) => text.logout.title };

export default function Logout() {
  const text = useText().logout;
  const actionData = useActionData<{ refusal: RefusalBody }>();
  return (
    <section className="login pad-block-8 grid gap-6">
      <div className="grid gap-2">
        <h1>{text.title}</h1>
        <p className="soft">{text.lead}</p>
      </div>
      <RefusalAlert code={actionData?.refusal.code} />
      <form method="post" action="/logout">
        <button className="button button-primary" type="submit">
          {text.confirm}
        </button>
      </form>
    </section>
  );
}
