import { repoPlace, toNoteListKey } from "#domain/repos/repo-place.ts";

/** The thing that notes are attached to: its note list in the API, its form for a new note, and the pages that lines and headings link to. */
export type NotedFile = { list: string; form: string; page: string; prose: string };

export function toNotedLibraryFile(id: string): NotedFile {
  return { list: id, form: `/notes/new?file=${id}`, page: `/file/${id}`, prose: `/md/${id}` };
}

/** A file of a repository has notes on lines only. */
export function toNotedRepoFile(name: string, path: string): NotedFile {
  const page = repoPlace(name, "file", { path });
  const form = `/notes/new?${new URLSearchParams({ repo: name, path })}`;
  return { list: toNoteListKey(name, path), form, page, prose: page };
}

export function addParameter(address: string, name: string, value: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}${name}=${value}`;
}
