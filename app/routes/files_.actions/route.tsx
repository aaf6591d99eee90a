import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/answers/accept.ts";
import { done, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { fileActionForm } from "./form.server.ts";
import { pageAfter, runFileAction } from "./verbs.server.ts";

/** Nothing is read here: whoever comes by is sent to the list, unless an action has its answer ready. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  if (args.context.answer) return null;
  return redirect("/files");
}

/** A refusal is said on the page the form was on: nothing typed there is long. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, fileActionForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  const result = await runFileAction(args.context.services, user.id, form);
  if (result instanceof Response) {
    args.context.answer = result;
    return null;
  }
  if (isRefusal(result)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return refused(args.request, result, {});
    args.context.flash({ say: "refused", code: result.refused });
    return done(args.request, {}, pageAfter(form));
  }
  if (result.flash) args.context.flash(result.flash);
  return done(args.request, { ok: true }, result.goTo ?? pageAfter(form));
}

/** Never shown: an action that fails gets the error page. */
export default function FileActions() {
  return null;
}
