/**
 * The web process under more than it can do. How many requests a second it answers with a p99 of at most 100 ms, beside Express
 * sending the same bytes; then five times what it can do, which may be answered with 200, 429 or 503 with Retry-After alone and must be over
 * within five seconds of its end; then 600 clients that send or read without end. `--soak=30` instead weighs its memory for so many minutes.
 */
import type { Figure } from "./figures.ts";
import { option } from "./options.ts";
import { soak } from "./soak.ts";

export async function run(): Promise<Figure[]> {
  const minutes = option("soak", 0);
  if (minutes > 0) return soak(minutes);
  return [];
}
