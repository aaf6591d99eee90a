import { json, type LinksFunction, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CommandLine } from "#app/accounts/command-line.tsx";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/api-docs.css?url";
import { describedApi } from "./api-docs.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json({ nouns: describedApi(), origin: new URL(args.request.url).origin });
}

type Operation = SerializeFrom<typeof loader>["nouns"][number]["operations"][number];

export const handle: PageHandle = { title: (text) => text.apiDocs.title };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export default function ApiDocs() {
  const { nouns, origin } = useLoaderData<typeof loader>();
  const text = useText().apiDocs;
  const { locale } = usePage();
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <p>
        {text.lead} <a href="/settings/tokens">{text.tokens}</a> ·{" "}
        <a href="/api/openapi.json">openapi.json</a>
      </p>
      <Example
        name={text.authenticate}
        hint={text.authenticateHint}
        lines={[`curl -H "Authorization: Bearer $TOKEN" ${origin}/api/me`]}
      />
      <Example
        name={text.write}
        hint={text.writeHint}
        lines={[
          `curl -H "Authorization: Bearer $TOKEN" -T hello.py ${origin}/api/files/src/hello.py`,
          `curl -H "Authorization: Bearer $TOKEN" -H 'If-None-Match: *' -T hello.py ${origin}/api/files/src/hello.py`,
          `curl -H "Authorization: Bearer $TOKEN" -H "If-Match: $ETAG" -T hello.py ${origin}/api/files/src/hello.py`,
        ]}
      />
      <CommandLine origin={origin} />
      {locale !== "en" && <p className="soft">{text.inEnglish}</p>}
      <nav className="cluster api-nouns" aria-label={text.nouns}>
        {nouns.map(({ noun }) => (
          <a key={noun} className="chip" href={`#${noun}`}>
            {noun}
          </a>
        ))}
      </nav>
      {nouns.map(({ noun, operations }) => (
        <section key={noun} className="section" id={noun} lang="en" dir="ltr">
          <h2>{noun}</h2>
          {operations.map((operation) => (
            <OperationRow key={`${operation.method} ${operation.path}`} operation={operation} />
          ))}
        </section>
      ))}
    </>
  );
}

function Example({ name, hint, lines }: { name: string; hint: string; lines: string[] }) {
  return (
    <section className="section">
      <h2>{name}</h2>
      <p>{hint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="api-shape code" dir="ltr" tabIndex={0}>
        {lines.join("\n")}
      </pre>
    </section>
  );
}

function OperationRow({ operation }: { operation: Operation }) {
  const text = useText().apiDocs;
  const { locale } = usePage();
  const { method, path, summary, description, access, parameters, body, answers } = operation;
  return (
    <details className="api-operation">
      <summary>
        <code className="api-method">{method}</code>
        <code>{path}</code>
        <span className="soft">{summary}</span>
      </summary>
      <div className="api-parts">
        <p lang={locale} dir="auto">
          {text.access[access]}
        </p>
        {description && <p>{description}</p>}
        {parameters.length > 0 && (
          <ul>
            {parameters.map(({ name, in: place, required, description }) => (
              <li key={name}>
                <code>{name}</code>{" "}
                <bdi className="soft" lang={locale}>
                  {text.parameter(place, required)}
                </bdi>
                <br />
                {description}
              </li>
            ))}
          </ul>
        )}
        {body && <Shape name={text.body} shape={body} />}
        {answers.map(({ status, shape }) => shape && <Shape key={status} name={status} shape={shape} />)}
      </div>
    </details>
  );
}

function Shape({ name, shape }: { name: string; shape: string }) {
  return (
    <>
      <h3>{name}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="api-shape code" tabIndex={0}>
        {shape}
      </pre>
    </>
  );
}
