import type { DefinitionSample } from "#tests/domain/search/definition-samples/sample.ts";

export const MARKUP_SAMPLES: Record<string, DefinitionSample> = {
  css: {
    text: `:root {
  --accent: #123;
}
body,
.page a:hover {
  --inner: 1px;
  color: red;
}
#main > .item[data-x="1"] { margin: 0 }
@media (width > 40rem) {
  .wide { display: grid; }
}
@keyframes spin {
  from { opacity: 0 }
  50% { opacity: 1 }
}
`,
    found: `
1 selector :root
  2 variable --accent
4 selector body
5 selector .page a:hover
9 selector #main > .item[data-x="1"]
  11 selector .wide
13 function spin
`,
  },
  diff: {
    text: `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@
-a
+b
--- a/old
+++ /dev/null
`,
    found: `
3 heading src/a.ts
`,
  },
  dockerfile: {
    text: `ARG VERSION=1
FROM node:24 AS build
ENV PORT=80
RUN npm ci
FROM nginx
COPY --from=build /a /b
`,
    found: `
1 variable VERSION
2 target build
3 variable PORT
5 target nginx
`,
  },
  graphql: {
    text: `type User @key(fields: "id") {
  id: ID!
  posts(first: Int): [Post!]!
}
extend type Query {
  me: User
}
enum Role { ADMIN }
query GetUser($id: ID!) {
  user(id: $id) { id }
}
`,
    found: `
1 class User
  2 key id
  3 key posts
5 class Query
  6 key me
8 type Role
9 function GetUser
`,
  },
  html: {
    text: `<!doctype html>
<html>
<body id="top">
<h1 class="x">Welcome</h1>
<h2><a href="#a">Prices</a></h2>
<input data-id="no" id='amount'>
<script>
  function toggle(a) {
    const x = 1;
    if (a) {
    }
  }
</script>
</body>
</html>
`,
    found: `
3 key top
4 heading Welcome
  5 heading Prices
    6 key amount
  8 function toggle
`,
  },
  ini: {
    text: `; settings
root = true
[server]
port = 80
host.name: example
[core "x"]
export TOKEN=1
`,
    found: `
2 key root
3 heading server
  4 key port
  5 key host.name
6 heading core "x"
  7 key TOKEN
`,
  },
  json: {
    text: `{
  "name": "codeshelf",
  "scripts": {
    "start": "node .",
    "nested": { "deep": 1 }
  },
  // a comment with "quotes": here
  "files": ["a", "b"], "last": "x: \\"y\\": 1"
}
`,
    found: `
2 key name
3 key scripts
  4 key start
  5 key nested
8 key files
8 key last
`,
  },
  less: {
    text: `@accent: #fff;
.button {
  &:hover { color: @accent; }
}
`,
    found: `
1 variable @accent
2 selector .button
  3 selector &:hover
`,
  },
  makefile: {
    text: `CC ?= gcc
SOURCES := a.c
.PHONY: all
all: build test
build/app: $(SOURCES)
	$(CC) -o x: y
clean:
	rm -rf build
`,
    found: `
1 variable CC
2 variable SOURCES
4 target all
5 target build/app
7 target clean
`,
  },
  markdown: {
    text: `# Guide to *the* shelf

Text
## Install \`npm\`
### On Linux
Usage
=====
`,
    found: `
1 heading Guide to the shelf
  4 heading Install npm
    5 heading On Linux
6 heading Usage
`,
  },
  nix: {
    text: `{ pkgs }:
{
  name = "x";
  services = {
    port = 80;
    deep = {
      inner = 1;
    };
  };
}
`,
    found: `
3 key name
4 key services
  5 key port
  6 key deep
`,
  },
  protobuf: {
    text: `syntax = "proto3";
package shop.v1;
message Item {
  string name = 1;
  repeated int32 ids = 2;
  map<string, int32> counts = 3;
}
enum State { OPEN = 0; }
service Store {
  rpc Save(Item) returns (Item);
}
`,
    found: `
2 type shop.v1
3 class Item
  4 key name
  5 key ids
  6 key counts
8 type State
9 class Store
  10 function Save
`,
  },
  scss: {
    text: `$accent: #fff;
@mixin round($r) {
  border-radius: $r;
}
.card {
  &__title { color: $accent; }
  transition: color 1s,
    width 1s;
}
`,
    found: `
1 variable $accent
2 function round
5 selector .card
  6 selector &__title
`,
  },
  sql: {
    text: `-- schema
CREATE TABLE IF NOT EXISTS "public"."users" (
  id int,
  name text
);
create or replace function total(a int) returns int as $$
create unique index users_name on users (name);
CREATE MATERIALIZED VIEW [dbo].[active] AS
SELECT * FROM users;
CREATE TYPE mood AS ENUM ('a');
drop table users;
`,
    found: `
2 table public.users
6 function total
7 key users_name
8 table dbo.active
10 type mood
`,
  },
  svg: {
    text: `<svg xmlns="http://www.w3.org/2000/svg">
  <g id="layer1">
    <path d="M0 0" id="leaf"/>
  </g>
</svg>
`,
    found: `
2 key layer1
  3 key leaf
`,
  },
  toml: {
    text: `title = "x"
[package]
name = "y"
[[bin]]
path = "z"
[tool."my.app"]
"quoted" = 1
`,
    found: `
1 key title
2 heading package
  3 key name
4 heading bin
  5 key path
6 heading tool.my.app
  7 key quoted
`,
  },
  vue: {
    text: `<template>
  <div id="app"><h1>Shop</h1></div>
</template>
<script setup>
const count = ref(0);
function add(n) {
  count.value += n;
}
</script>
<style>
</style>
`,
    found: `
2 heading Shop
6 function add
`,
  },
  xml: {
    text: `<?xml version="1.0"?>
<beans>
  <bean id="store" class="a.Store">
    <property name="size" value="1"/>
  </bean>
</beans>
`,
    found: `
3 key store
  4 key size
`,
  },
  yaml: {
    text: `# comment
name: build
on:
  push:
    branches: [main]
"quoted key": 1
jobs:
  test:
    runs-on: ubuntu
url: http://example.com
list:
- name: first
  value: 2
`,
    found: `
2 key name
3 key on
  4 key push
6 key quoted key
7 key jobs
  8 key test
10 key url
11 key list
  12 key name
  13 key value
`,
  },
};
