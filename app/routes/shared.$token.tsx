import { type HeadersFunction, json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FileName } from "#app/files/file-name.tsx";
import { LanguageDot } from "#app/files/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { OwnersNote } from "#app/shares/shared-file.tsx";
import { announcingFaults, cachingHeaders, countLook, visitLink } from "#app/shares/shared-visit.server.ts";
import styles from "#app/styles/shares.css?url";
import { Bytes } from "#app/ui/bytes.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Day } from "#app/ui/moment.tsx";
import { languageLabel } from "#domain/files/language.ts";

/** Several files that somebody made public under one address. */
export async function loader(args: LoaderFunctionArgs) {
  return announcingFaults(args, async () => {
    const visit = await visitLink(args);
    const { share, isOwner } = visit;
    await countLook(args, visit);
    const files = share.files.map(({ place, file_name, language, size_bytes, lines }) => ({
      ...{ place, file_name, language, size_bytes, lines },
    }));
    const expires_at = share.expires_at?.toISOString() ?? null;
    const headers = await cachingHeaders(args, share);
    return json({ base: `/shared/${share.id}`, files, expires_at, isOwner }, { headers });
  });
}

export const handle: PageHandle = { title: (text) => text.shares.title };

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export default function SharedLink() {
  const { base, files, expires_at, isOwner } = useLoaderData<typeof loader>();
  const { shares: text, file: fileText } = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.sharedMany(files.length)}</h1>
        <a className="button" href={`${base}/zip`}>
          <Icon name="download" />
          {text.zip}
        </a>
      </div>
      {expires_at && (
        <p className="soft intro">
          {text.publicUntil} <Day at={expires_at} />
        </p>
      )}
      {isOwner && <OwnersNote />}
      <ul className="rows shared-rows">
        {files.map(({ place, file_name, language, size_bytes, lines }) => (
          <li key={place} className="file-row">
            <LanguageDot language={language} />
            <a className="file-name" href={`${base}/${place}`} dir="ltr">
              <FileName name={file_name} />
            </a>
            <div className="file-facts">
              <span className="shared-language">{languageLabel(language)}</span>
              <span>{fileText.lines(lines)}</span>
              <Bytes count={size_bytes} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
