/**
 * The least that such a product needs to answer with one file: `node json-baseline.ts <file.json>` keeps the given answer, its text
 * and one token in SQLite, and serves it by Express at /file/:id to whoever sends the token.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import express from "express";
import { required } from "#domain/required.ts";

type Kept = { token: string; file: { id: string; content: string } };

const digest = (token: string) => createHash("sha256").update(token).digest("hex");
const { token, file }: Kept = JSON.parse(readFileSync(required(process.argv[2], "file to serve"), "utf8"));
const { content, ...about } = file;

const database = new DatabaseSync(":memory:");
database.exec("create table users (id integer primary key, name text)");
database.exec("create table tokens (digest text primary key, user_id integer)");
database.exec("create table files (id text primary key, user_id integer, about text, content text)");
database.prepare("insert into users values (7, 'Bench')").run();
database.prepare("insert into tokens values (?, 7)").run(digest(token));
database.prepare("insert into files values (?, 7, ?, ?)").run(file.id, JSON.stringify(about), content);
const findUser = database.prepare(
  "select users.* from tokens join users on users.id = user_id where digest = ?",
);
const findFile = database.prepare("select about, content from files where id = ? and user_id = ?");

const app = express();
app.disable("x-powered-by");
app.get("/file/:id", (request, response) => {
  const sent = /^Bearer (\S+)$/.exec(request.get("Authorization") ?? "")?.[1];
  const user = sent === undefined ? undefined : findUser.get(digest(sent));
  if (!user) return void response.status(401).json({ ok: false });
  const found = findFile.get(request.params.id, required(user.id as number));
  if (!found) return void response.status(404).json({ ok: false });
  response.json({ ok: true, file: { ...JSON.parse(String(found.about)), content: found.content } });
});
const server = app.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once("disconnect", () => process.exit(0));
