import { expect, it } from "vitest";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();

it.each([
  ["en", "Write a note on a line"],
  ["he", "פתק על שורה"],
])("help answers what people ask first in %s, each with a link to a page", async (locale, title) => {
  const visitor = await web.visitor().logIn("70");
  await visitor.submit("/preferences", { locale });
  const html = await (await visitor.page("/help/shortcuts")).text();
  const help = html.slice(html.indexOf('class="help"'), html.indexOf("data-shortcuts-help"));
  expect(help).toContain(`<h2>${title}</h2>`);
  const links = [...help.matchAll(/<section.*?href="([^"]+)".*?<\/section>/gs)].map(([, href]) => href ?? "");
  expect(links).toHaveLength(5);
  for (const href of links) expect((await visitor.page(href)).status, href).toBe(200);
});
