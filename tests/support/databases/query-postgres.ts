import pg from "pg";

// biome-ignore lint/suspicious/noExplicitAny: what is in a row is what each test is about
export async function queryPostgres(databaseUrl: string, question: string): Promise<any[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query(question);
  await client.end();
  return rows;
}
