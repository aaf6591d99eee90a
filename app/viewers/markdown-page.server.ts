import type { RequestContext } from "#app/http/request-context.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Heading, Rendered } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";

/** A Markdown text in the words of its reader; asked for again, it is the one that was rendered before. */
export async function renderedMarkdown(
  context: RequestContext,
  owner: string,
  body: string,
): Promise<Rendered> {
  const { blockedImage, externalImage, footnoteBack, done, open } = getDictionary(
    await context.locale(),
  ).viewers;
  const words = { blockedImage, externalImage, footnoteBack, done, open };
  return render(context.services.threads, owner, { kind: "markdown", body, words });
}

/** The headings of a text, in order; none where it cannot be rendered. */
export async function findHeadings(context: RequestContext, owner: string, body: string): Promise<Heading[]> {
  const rendered = await renderedMarkdown(context, owner, body);
  return rendered.ok ? rendered.headings : [];
}
