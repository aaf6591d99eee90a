import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { readForm } from "#app/http/body.server.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { done, refused } from "#app/http/replies.server.ts";
import { logoutForm } from "#app/routes/logout-form.server.ts";
import { isRefusal } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireUser(args);
  await args.context.signOut(visitor);
  args.context.flash({ say: "logged_out" });
  return redirect("/");
}

export async function action(args: ActionFunctionArgs) {
  const visitor = await requireUser(args);
  const form = await readForm(args.request, logoutForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  await (form.everywhere ? args.context.signOutEverywhere(visitor) : args.context.signOut(visitor));
  args.context.flash({ say: form.everywhere ? "logged_out_everywhere" : "logged_out" });
  return done(args.request, { ok: true }, "/");
}

export default function Logout() {
  return null;
}
