import type { LoaderFunctionArgs } from "@remix-run/node";
import { foreignAnswer } from "#app/viewers/foreign-answer.ts";
import { openView } from "#app/viewers/open-view.server.ts";

const BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** The file as a picture, inert. What cannot be drawn is a blank one; the page around it says why. */
export async function loader(args: LoaderFunctionArgs) {
  const { body } = await openView(args, "svg");
  const rendered = await args.context.shelf.renderer.render({ kind: "svg", body });
  args.context.answer = foreignAnswer(rendered.ok ? rendered.html : BLANK, "image/svg+xml");
  return null;
}

/** Never shown: with a component, a missing file gets the error page. */
export default function RawSvg() {
  return null;
}
