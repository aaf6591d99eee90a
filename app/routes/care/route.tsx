import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/answers/accept.ts";
import { done, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { care, careForm, pageAfter } from "./form.server.ts";

/** Nothing is read here: whoever comes by is sent to the list, unless an action has its answer ready. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  if (args.context.answer) return null;
  return redirect("/files");
}

/** A refusal is said on the page the form was on: nothing typed there is long. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, careForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  const cared = await care(args.context.services, user.id, form);
  if (cared instanceof Response) {
    args.context.answer = cared;
    return null;
  }
  if (isRefusal(cared)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return refused(args.request, cared, {});
    args.context.flash({ say: "refused", code: cared.refused });
    return done(args.request, {}, pageAfter(form));
  }
  if (cared.flash) args.context.flash(cared.flash);
  return done(args.request, { ok: true }, cared.goTo ?? pageAfter(form));
}

/** Never shown: an action that fails gets the error page. */
export default function Care() {
  return null;
}
