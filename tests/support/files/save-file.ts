import type { Visitor } from "#tests/support/web.ts";

/** Saves a file through the API, as a program does, and answers its id. */
export async function saveFile(visitor: Visitor, name: string, body: BodyInit = "x\n"): Promise<string> {
  const response = await visitor.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body });
  return (await response.json()).file_id;
}
