import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerOembed } from "#app/shares/oembed.server.ts";

/** Describes for other sites how to embed a shared file, in the oEmbed format. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  return answerOembed(context.services, request);
}
