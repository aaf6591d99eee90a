/** A small library for pictures of the product, oldest file first. */
type SampleFile = { file_name: string; description: string; tags: string; text: string };

export const SAMPLE_FILES: readonly SampleFile[] = [
  {
    file_name: "nginx-cache.conf",
    description: "Cache headers for hashed assets",
    tags: "ops, nginx",
    text: `location /assets/ {
  add_header Cache-Control "public, max-age=31536000, immutable";
  try_files $uri =404;
}
`,
  },
  {
    file_name: "monthly_revenue.sql",
    description: "",
    tags: "reporting",
    text: `select date_trunc('month', paid_at) as month, sum(amount) as revenue
from payments
where paid_at >= now() - interval '1 year'
group by month
order by month;
`,
  },
  {
    file_name: "סיכום-פגישה.md",
    description: "סיכום הפגישה על הגיבויים",
    tags: "עבודה",
    text: `# סיכום פגישה

- לבדוק את הגיבוי פעם בחודש
- לכתוב הוראות שחזור
`,
  },
  {
    file_name: "backup.sh",
    description: "Nightly copy of the notes folder",
    tags: "ops, cron",
    text: `#!/usr/bin/env bash
set -euo pipefail

target="/backup/$(date +%F).tar.gz"
tar czf "$target" -C "$HOME" notes
find /backup -name '*.tar.gz' -mtime +30 -delete
`,
  },
  {
    file_name: "debounce.ts",
    description: "Waits until the calls stop",
    tags: "snippets",
    text: `export function debounce<Args extends unknown[]>(call: (...args: Args) => void, waitMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args) => {
    clearTimeout(timer);
    timer = setTimeout(call, waitMs, ...args);
  };
}
`,
  },
  {
    file_name: "Dockerfile",
    description: "",
    tags: "docker",
    text: `FROM node:24-slim
WORKDIR /app
COPY . .
RUN npm ci --omit=dev
CMD ["npm", "start"]
`,
  },
  {
    file_name: "retry.go",
    description: "Again, with a growing pause",
    tags: "go, snippets",
    text: `package retry

import "time"

func Do(times int, pause time.Duration, work func() error) error {
	for n := 1; ; n++ {
		err := work()
		if err == nil || n >= times {
			return err
		}
		time.Sleep(pause << n)
	}
}
`,
  },
  {
    file_name: "word_count.py",
    description: "The words I use most in my notes",
    tags: "python, notes",
    text: `"""Word counts for a folder of notes."""

import re
from collections import Counter
from pathlib import Path

WORD = re.compile(r"[^\\W\\d_]+")


def count(folder: Path, top: int = 20) -> list[tuple[str, int]]:
    """The most frequent words of every note below a folder."""
    words: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        words.update(word.lower() for word in WORD.findall(text))
    return words.most_common(top)


if __name__ == "__main__":
    for word, n in count(Path.home() / "notes"):
        print(f"{n:6} {word}")
`,
  },
];
