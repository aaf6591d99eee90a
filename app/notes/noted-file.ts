import { repoNoteList, repoPlace } from "#domain/repos/repo-place.ts";

/** What notes are on: what the API calls their list by, the form for a new one, and the pages that lines and headings lead to. */
export type NotedFile = { list: string; form: string; page: string; prose: string };

export function libraryFile(id: string): NotedFile {
  return { list: id, form: `/notes/new?file=${id}`, page: `/file/${id}`, prose: `/md/${id}` };
}

/** A file of a repository has notes on its lines alone. */
export function repositoryFile(name: string, path: string): NotedFile {
  const page = repoPlace(name, "file", { path });
  const form = `/notes/new?${new URLSearchParams({ repo: name, path })}`;
  return { list: repoNoteList(name, path), form, page, prose: page };
}

/** An address with one more parameter. */
export function asking(address: string, name: string, value: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}${name}=${value}`;
}
