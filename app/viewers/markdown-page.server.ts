import type { RequestContext } from "#app/http/visit.ts";
import { getDictionary } from "#app/i18n/text.ts";
import type { Heading, Rendered } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";

/** A Markdown text in the words of its reader; asked for again, it is the one that was rendered before. */
export async function renderedMarkdown(
  visit: RequestContext,
  owner: string,
  body: string,
): Promise<Rendered> {
  const { blockedImage, externalImage, footnoteBack, done, open } = getDictionary(
    await visit.locale(),
  ).viewers;
  const words = { blockedImage, externalImage, footnoteBack, done, open };
  return render(visit.services.threads, owner, { kind: "markdown", body, words });
}

/** The headings of a text, in order; none where it cannot be rendered. */
export async function findHeadings(visit: RequestContext, owner: string, body: string): Promise<Heading[]> {
  const rendered = await renderedMarkdown(visit, owner, body);
  return rendered.ok ? rendered.headings : [];
}
