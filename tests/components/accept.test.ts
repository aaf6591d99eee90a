import { expect, it } from "vitest";
import { prefersJsonToHtml, wantsPage } from "#app/web/answers/accept.ts";

it.each([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "page"],
  ["application/json, text/html", "page"],
  ["application/json, text/html;q=0.9", "json"],
  ["text/html; charset=utf-8; q=0.2, Application/JSON;q=0.1", "page"],
  ["text/html;q=0, application/json", "json"],
  ["text/html;q=0", "neither"],
  ["application/json;q=0", "neither"],
  ["text/html;q=x", "page"],
  ["text/*;q=0.9, application/json;q=0.8", "neither"],
  ["application/json;q=0.5, */*", "neither"],
  ["text/html;q=0.5, application/*", "json"],
  ["application/json, text/plain, */*", "json"],
  ["*/*", "neither"],
  ["", "neither"],
  [null, "neither"],
])("%s asks for %s", (accept, type) => {
  expect([wantsPage(accept), prefersJsonToHtml(accept)]).toEqual([type === "page", type === "json"]);
});
