import type { LoaderFunctionArgs } from "@remix-run/node";
import { oembedAnswer } from "#app/shares/oembed.server.ts";

/** Describes for other sites how to embed a shared file, in the oEmbed format. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  context.answer = await oembedAnswer(context.services, request);
  return null;
}

/** Never shown: with a component, a fault is answered as everywhere. */
export default function Oembed() {
  return null;
}
