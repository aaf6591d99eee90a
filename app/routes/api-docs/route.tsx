import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { createElement, Fragment } from "react";
import { CommandLine } from "#app/accounts/command-line.tsx";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/api-docs.css?url";
import { requireUser } from "#app/web/session/gates.server.ts";
import { describeApi } from "./api-docs.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json({ ...describeApi(), origin: new URL(args.request.url).origin });
}

type Api = SerializeFrom<typeof loader>;
type Operation = Api["groups"][number]["operations"][number];
type Field = Api["shapes"][number]["fields"][number] & { place?: "path" | "query" | "header" };
type Content = NonNullable<Operation["body"]>;

export const handle: PageHandle = { title: (text) => text.apiDocs.title };

export const links = linkSheets(styles);

export default function ApiDocs() {
  const { groups, shapes, anyCall, errors, origin } = useLoaderData<typeof loader>();
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
      <nav className="cluster above-4" aria-label={text.nouns}>
        {groups.map(({ group }) => (
          <a key={group} className="chip" href={`#${group}`}>
            {text.groups[group]}
          </a>
        ))}
        <a className="chip" href="#shapes">
          {text.shapes}
        </a>
        <a className="chip" href="#errors">
          {text.errors}
        </a>
      </nav>
      {groups.map(({ group, operations }) => (
        <section key={group} className="section" id={group}>
          <h2>{text.groups[group]}</h2>
          <div lang="en" dir="ltr">
            {operations.map((operation) => (
              <OperationRow
                key={`${operation.method} ${operation.path}`}
                operation={operation}
                origin={origin}
              />
            ))}
          </div>
        </section>
      ))}
      <Shapes shapes={shapes} />
      <Errors anyCall={anyCall} errors={errors} />
    </>
  );
}

function Example({ name, hint, lines }: { name: string; hint: string; lines: string[] }) {
  return (
    <section className="section stack column">
      <h2>{name}</h2>
      <p>{hint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="flush pad-3 sunk edge round code" dir="ltr" tabIndex={0}>
        {lines.join("\n")}
      </pre>
    </section>
  );
}

function OperationRow({ operation, origin }: { operation: Operation; origin: string }) {
  const text = useText().apiDocs;
  const { method, path, summary, description, access, parameters, body, answers, refusals, curl } = operation;
  return (
    <details className="edge-below">
      <summary className="lights-up">
        <code className="bold">{method}</code>
        <code>{path}</code>
        <span className="soft small">{summary}</span>
      </summary>
      <div className="api-parts small grid column gap-2">
        <Label>{text.access[access]}</Label>
        {description && <p>{formatInlineCode(description)}</p>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre className="flush pad-3 sunk edge round code" tabIndex={0}>
          {`${curl.options} "${origin}${curl.address}"`}
        </pre>
        {parameters.length > 0 && (
          <>
            <Heading>{text.parameters}</Heading>
            <Fields fields={parameters} />
          </>
        )}
        {body && (
          <>
            <Heading>{text.body}</Heading>
            <ContentFields content={body} />
          </>
        )}
        {answers.map((answer) => (
          <Answer key={answer.status} answer={answer} />
        ))}
        {refusals.length > 0 && (
          <>
            <Heading>{text.errors}</Heading>
            <Codes codes={refusals} />
          </>
        )}
      </div>
    </details>
  );
}

function Label({ children }: { children: string }) {
  const { locale } = usePage();
  return (
    <p lang={locale} dir="auto">
      {children}
    </p>
  );
}

function Heading({ children }: { children: string }) {
  const { locale } = usePage();
  return (
    <h3 lang={locale} dir="auto">
      {children}
    </h3>
  );
}

function Answer({ answer }: { answer: Content & { status: string } }) {
  const text = useText().apiDocs;
  return (
    <>
      <Heading>{text.answer(answer.status)}</Heading>
      <ContentFields content={answer} isAnswer />
    </>
  );
}

function ContentFields({
  content: { type, shape, fields },
  isAnswer = false,
}: {
  content: Content;
  isAnswer?: boolean;
}) {
  const text = useText().apiDocs;
  if (shape !== null)
    return (
      <p>
        <a href={`#shape-${shape}`}>{type ?? shape}</a>
      </p>
    );
  if (fields.length > 0) return <Fields fields={fields} isAnswer={isAnswer} />;
  return type === null ? <Label>{text.noContent}</Label> : <p>{type}</p>;
}

function PresenceNote({ words }: { words: string }) {
  const { locale } = usePage();
  return (
    words && (
      <>
        {" · "}
        <bdi lang={locale}>{words}</bdi>
      </>
    )
  );
}

function Fields({ fields, isAnswer = false }: { fields: Field[]; isAnswer?: boolean }) {
  const text = useText().apiDocs;
  return (
    <ul className="indent-4 breaks grid gap-2 flush">
      {fields.map(({ name, type, shape, required, limits, meaning, place }) => (
        <li key={name}>
          <code>{name}</code> {shape === null ? type : <a href={`#shape-${shape}`}>{type}</a>}
          <PresenceNote words={isAnswer ? text.answered(required) : text.field(required, place)} />
          {limits && ` · ${limits}`}
          {meaning && <span className="block soft">{formatInlineCode(meaning)}</span>}
        </li>
      ))}
    </ul>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <p className="cluster">
      {codes.map((code) => (
        <a key={code} href={`#error-${code}`}>
          {code}
        </a>
      ))}
    </p>
  );
}

function Shapes({ shapes }: { shapes: Api["shapes"] }) {
  const text = useText().apiDocs;
  return (
    <section className="section" id="shapes">
      <h2>{text.shapes}</h2>
      <div lang="en" dir="ltr" className="api-parts small grid column gap-2">
        {shapes.map(({ name, meaning, fields }) => (
          <section key={name} id={`shape-${name}`}>
            <h3>{name}</h3>
            {meaning && <p className="soft">{formatInlineCode(meaning)}</p>}
            <Fields fields={fields} isAnswer />
          </section>
        ))}
      </div>
    </section>
  );
}

function Errors({ anyCall, errors }: Pick<Api, "anyCall" | "errors">) {
  const text = useText().apiDocs;
  return (
    <section className="section" id="errors">
      <h2>{text.errors}</h2>
      <p>{text.errorsHint}</p>
      <div lang="en" dir="ltr" className="api-parts small grid column gap-2">
        <Codes codes={anyCall} />
        <ul className="indent-4 breaks grid gap-2 flush">
          {errors.map(({ code, status, meaning }) => (
            <li key={code} id={`error-${code}`}>
              <code>{code}</code> · {status}
              <span className="block soft">{meaning}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function formatInlineCode(text: string) {
  const parts = text.split("`").map((part, i) => (i % 2 === 1 ? createElement("code", null, part) : part));
  return createElement(Fragment, null, ...parts);
}
