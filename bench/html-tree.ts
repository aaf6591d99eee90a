/**
 * A page that React wrote, as React elements again: so that the baseline renders exactly what the product rendered, and
 * nothing of how it got there. Reads only what React writes; it is no parser of other people's HTML.
 */

import { createElement, type ReactNode } from "react";
import { required } from "#domain/required.ts";

const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const RAW_TEXT = new Set(["script", "style"]);
const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|<!--.*?-->|<!DOCTYPE[^>]*>/gs;
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)")?/g;
const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

interface Open {
  name: string;
  props: Record<string, unknown>;
  children: ReactNode[];
}

const decoded = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);

function parseProps(attributes: string): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [, name = "", value] of attributes.matchAll(ATTRIBUTE)) {
    const known = name === "class" ? "className" : name === "for" ? "htmlFor" : name;
    props[known.startsWith("on") ? `data-${known}` : known] = value === undefined ? "" : decoded(value);
  }
  return props;
}

export function parseTree(html: string): ReactNode {
  const root: Open = { name: "", props: {}, children: [] };
  const open: Open[] = [root];
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    if (match.index < at) continue;
    const top = required(open.at(-1));
    if (match.index > at) top.children.push(decoded(html.slice(at, match.index)));
    at = match.index + match[0].length;
    const [, closing, name, attributes] = match;
    if (!name) continue;
    if (closing) {
      const { name: own, props, children } = required(open.pop());
      required(open.at(-1)).children.push(createElement(own, props, ...children));
    } else if (VOID.has(name) || match[0].endsWith("/>"))
      top.children.push(createElement(name, parseProps(required(attributes))));
    else if (RAW_TEXT.has(name)) {
      const end = html.indexOf(`</${name}>`, at);
      const props = {
        ...parseProps(required(attributes)),
        dangerouslySetInnerHTML: { __html: html.slice(at, end) },
      };
      top.children.push(createElement(name, props));
      at = end + name.length + 3;
    } else open.push({ name, props: parseProps(required(attributes)), children: [] });
  }
  return root.children;
}
