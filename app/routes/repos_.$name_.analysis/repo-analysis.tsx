import type { ReactNode } from "react";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { languageLabel } from "#domain/files/language.ts";
import type { RepoAnalysis as Analysis } from "#domain/repos/repo-analysis.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type Props = { name: string; analysis: Analysis };

export function RepoAnalysis({ name, analysis }: Props) {
  const text = useText().repos;
  const file = (path: string) => <FileLink name={name} path={path} />;
  return (
    <div className="sections repo-analysis above-6">
      <Suggestions analysis={analysis} />
      <Facts name={name} analysis={analysis} />
      {analysis.languages.length > 0 && (
        <Part title={text.languages}>
          <p className="soft">{text.byBytes}</p>
          <RepoBars
            rows={analysis.languages.slice(0, SHOWN).map(({ language, bytes, files }) => ({
              key: language,
              amount: bytes,
              language,
              label: (
                <>
                  <LanguageDot language={language} /> {languageLabel(language)}
                </>
              ),
              value: (
                <>
                  <Bytes count={bytes} /> · {text.files(files)}
                </>
              ),
            }))}
          />
        </Part>
      )}
      {analysis.biggest.length > 0 && (
        <Part title={text.biggest}>
          <RepoBars
            rows={analysis.biggest.map(({ path, size }) => ({
              key: path,
              amount: size,
              label: file(path),
              value: <Bytes count={size} />,
            }))}
          />
        </Part>
      )}
      {analysis.most_changed.length > 0 && (
        <Part title={text.mostChanged}>
          <RepoBars
            rows={analysis.most_changed.map(({ path, commits }) => ({
              key: path,
              amount: commits,
              label: file(path),
              value: text.changes(commits),
            }))}
          />
        </Part>
      )}
      <Dependencies name={name} analysis={analysis} />
    </div>
  );
}

const SHOWN = 12;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function FileLink({ name, path }: { name: string; path: string }) {
  return (
    <a className="reach-line mono breaks" href={repoPlace(name, "file", { path })}>
      <FileName name={path} />
    </a>
  );
}

function Suggestions({ analysis: { suggestions } }: Pick<Props, "analysis">) {
  const text = useText().repos;
  return (
    <Part title={text.suggestions}>
      {suggestions.length === 0 ? (
        <p className="soft">{text.suggestionsNone}</p>
      ) : (
        <ul className="discs grid gap-2 flush">
          {suggestions.map((suggestion) => (
            <li key={suggestion}>{text.suggested[suggestion]}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Facts({ name, analysis }: Props) {
  const text = useText().repos;
  const { readme, licence, tests, ci } = analysis;
  const facts: [label: string, value: ReactNode][] = [
    [text.parts.files, amount(analysis.files)],
    [text.size, <Bytes key="size" count={analysis.bytes} />],
    [text.readme, readme ? <FileLink key="readme" name={name} path={readme} /> : text.hasNot],
    [
      text.licence,
      licence ? (licence.name ?? <FileLink key="l" name={name} path={licence.path} />) : text.hasNot,
    ],
    [text.tests, tests > 0 ? text.files(tests) : text.hasNot],
    [text.ci, ci.length > 0 ? text.has : text.hasNot],
  ];
  return (
    <Part title={text.facts}>
      <dl className="grid gap-4 flush">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="tiny soft">{label}</dt>
            <dd className="breaks">{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

function Dependencies({ name, analysis: { dependencies } }: Props) {
  const text = useText().repos;
  return (
    <Part title={text.dependencies}>
      {dependencies.length === 0 && <p className="soft">{text.dependenciesNone}</p>}
      {dependencies.map(({ path, names, count }) => (
        <details key={path}>
          <summary>
            <bdi className="reach-line mono breaks" dir="ltr">
              {path}
            </bdi>{" "}
            <span className="soft">{text.dependencyCount(count)}</span>
          </summary>
          <FileLink name={name} path={path} />
          <ul className="tags above-2 below-2" dir="ltr">
            {names.map((dependency) => (
              <li key={dependency} className="tag">
                {dependency}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Part>
  );
}

type Bar = { key: string; amount: number; label: ReactNode; value: ReactNode; language?: string };

const WIDTH = 1000;

/** A bar chart with labels: each row shows its bar and the same in words. The longest bar is the largest amount. */
function RepoBars({ rows }: { rows: readonly Bar[] }) {
  const most = Math.max(1, ...rows.map(({ amount }) => amount));
  return (
    <ul className="stack above-3">
      {rows.map(({ key, amount, label, value, language }) => (
        <li key={key} className="two-ends top grid gap-4 rows-1 small">
          <span>{label}</span>
          <span className="numbers soft">{value}</span>
          <svg
            className="mirrors whole-row full sunk pill"
            viewBox={`0 0 ${WIDTH} 8`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect data-language={language} width={((amount / most) * WIDTH).toFixed(1)} height="8" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
