import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { fileActionForm, keepTypedFields } from "./form.server.ts";
import { runFileAction, toNextPage } from "./verbs.server.ts";

/** This address has no page of its own: a GET redirects to the list of files. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return redirect("/files");
}

/** The page that the form was on shows a refusal, with what was typed there. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, fileActionForm);
  if (isRefusal(form)) throw toRefusalResponse(form);
  const result = await runFileAction(args, user, form);
  if (result instanceof Response) return result;
  if (isRefusal(result)) {
    if (!wantsPage(args.request.headers.get("Accept"))) throw toRefusalResponse(result);
    args.context.session.flash({ say: "refused", code: result.refused, typed: keepTypedFields(form) });
    return answerSuccess(args.request, {}, toNextPage(form));
  }
  if (result.flash) args.context.session.flash(result.flash);
  return answerSuccess(args.request, { ok: true }, result.goTo ?? toNextPage(form));
}
