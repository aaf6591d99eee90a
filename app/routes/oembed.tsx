import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerOembed } from "#app/shares/oembed.server.ts";

/** Describes for other sites how to embed a shared file, in the oEmbed format. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  context.answer = await answerOembed(context.services, request);
  return null;
}

/** Never shown: with a component, a fault is answered as everywhere. */
export default function Oembed() {
  return null;
}
