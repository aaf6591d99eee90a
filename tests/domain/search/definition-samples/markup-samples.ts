/**
 * A small text in each language of markup, data and configuration. The mark ▸ precedes what a line defines; more marks mean a greater
 * depth.
 */
export const MARKUP_SAMPLES: Record<string, string> = {
  css: `:root { ▸ selector :root
  --accent: #123; ▸▸ variable --accent
}
body, ▸ selector body
.page a:hover { ▸ selector .page a:hover
  --inner: 1px;
  color: red;
}
#main > .item[data-x="1"] { margin: 0 } ▸ selector #main > .item[data-x="1"]
@media (width > 40rem) {
  .wide { display: grid; } ▸▸ selector .wide
}
@keyframes spin { ▸ function spin
  from { opacity: 0 }
  50% { opacity: 1 }
}`,
  diff: `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts ▸ heading src/a.ts
@@ -1 +1 @@
-a
+b
--- a/old
+++ /dev/null`,
  dockerfile: `ARG VERSION=1 ▸ variable VERSION
FROM node:24 AS build ▸ target build
ENV PORT=80 ▸ variable PORT
RUN npm ci
FROM nginx ▸ target nginx
COPY --from=build /a /b`,
  graphql: `type User @key(fields: "id") { ▸ class User
  id: ID! ▸▸ key id
  posts(first: Int): [Post!]! ▸▸ key posts
}
extend type Query { ▸ class Query
  me: User ▸▸ key me
}
enum Role { ADMIN } ▸ type Role
query GetUser($id: ID!) { ▸ function GetUser
  user(id: $id) { id }
}`,
  html: `<!doctype html>
<html>
<body id="top"> ▸ key top
<h1 class="x">Welcome</h1> ▸ heading Welcome
<h2><a href="#a">Prices</a></h2> ▸▸ heading Prices
<input data-id="no" id='amount'> ▸▸▸ key amount
<script>
  function toggle(a) { ▸▸ function toggle
    const x = 1;
    if (a) {
    }
  }
</script>
</body>
</html>`,
  ini: `; settings
root = true ▸ key root
[server] ▸ heading server
port = 80 ▸▸ key port
host.name: example ▸▸ key host.name
[core "x"] ▸ heading core "x"
export TOKEN=1 ▸▸ key TOKEN`,
  json: `{
  "name": "codeshelf", ▸ key name
  "scripts": { ▸ key scripts
    "start": "node .", ▸▸ key start
    "nested": { "deep": 1 } ▸▸ key nested
  },
  // a comment with "quotes": here
  "files": ["a", "b"], "last": "x: \\"y\\": 1" ▸ key files ▸ key last
}`,
  less: `@accent: #fff; ▸ variable @accent
.button { ▸ selector .button
  &:hover { color: @accent; } ▸▸ selector &:hover
}`,
  makefile: `CC ?= gcc ▸ variable CC
SOURCES := a.c ▸ variable SOURCES
.PHONY: all
all: build test ▸ target all
build/app: $(SOURCES) ▸ target build/app
	$(CC) -o x: y
clean: ▸ target clean
	rm -rf build`,
  markdown: `# Guide to *the* shelf ▸ heading Guide to the shelf

Text
## Install \`npm\` ▸▸ heading Install npm
### On Linux ▸▸▸ heading On Linux
Usage ▸ heading Usage
=====`,
  nix: `{ pkgs }:
{
  name = "x"; ▸ key name
  services = { ▸ key services
    port = 80; ▸▸ key port
    deep = { ▸▸ key deep
      inner = 1;
    };
  };
}`,
  protobuf: `syntax = "proto3";
package shop.v1; ▸ type shop.v1
message Item { ▸ class Item
  string name = 1; ▸▸ key name
  repeated int32 ids = 2; ▸▸ key ids
  map<string, int32> counts = 3; ▸▸ key counts
}
enum State { OPEN = 0; } ▸ type State
service Store { ▸ class Store
  rpc Save(Item) returns (Item); ▸▸ function Save
}`,
  scss: `$accent: #fff; ▸ variable $accent
@mixin round($r) { ▸ function round
  border-radius: $r;
}
.card { ▸ selector .card
  &__title { color: $accent; } ▸▸ selector &__title
  transition: color 1s,
    width 1s;
}`,
  sql: `-- schema
CREATE TABLE IF NOT EXISTS "public"."users" ( ▸ table public.users
  id int,
  name text
);
create or replace function total(a int) returns int as $$ ▸ function total
create unique index users_name on users (name); ▸ key users_name
CREATE MATERIALIZED VIEW [dbo].[active] AS ▸ table dbo.active
SELECT * FROM users;
CREATE TYPE mood AS ENUM ('a'); ▸ type mood
drop table users;`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg">
  <g id="layer1"> ▸ key layer1
    <path d="M0 0" id="leaf"/> ▸▸ key leaf
  </g>
</svg>`,
  toml: `title = "x" ▸ key title
[package] ▸ heading package
name = "y" ▸▸ key name
[[bin]] ▸ heading bin
path = "z" ▸▸ key path
[tool."my.app"] ▸ heading tool.my.app
"quoted" = 1 ▸▸ key quoted`,
  vue: `<template>
  <div id="app"><h1>Shop</h1></div> ▸ heading Shop
</template>
<script setup>
const count = ref(0);
function add(n) { ▸ function add
  count.value += n;
}
</script>
<style>
</style>`,
  xml: `<?xml version="1.0"?>
<beans>
  <bean id="store" class="a.Store"> ▸ key store
    <property name="size" value="1"/> ▸▸ key size
  </bean>
</beans>`,
  yaml: `# comment
name: build ▸ key name
on: ▸ key on
  push: ▸▸ key push
    branches: [main]
"quoted key": 1 ▸ key quoted key
jobs: ▸ key jobs
  test: ▸▸ key test
    runs-on: ubuntu
url: http://example.com ▸ key url
list: ▸ key list
- name: first ▸▸ key name
  value: 2 ▸▸ key value`,
};
