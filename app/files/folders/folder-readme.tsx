import type { Readme } from "#app/files/folders/folder-readme.server.ts";
import { useText } from "#app/i18n/text.ts";
import proseStyles from "#app/styles/viewers/prose.css?url";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { detectDirection } from "#domain/text/text-direction.ts";

export function FolderReadme({ readme: { href, file_name, html, text } }: { readme: Readme }) {
  const folderText = useText().folders;
  return (
    <section className="surface folder-readme above-6" aria-labelledby="readme">
      <link rel="stylesheet" href={proseStyles} />
      <div className="section-head">
        <h2 className="small inline gap-2" id="readme">
          <Icon name="book" />
          <FileName name={file_name} />
        </h2>
        <a href={href}>{folderText.openReadme}</a>
      </div>
      {html !== undefined && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      )}
      {text !== undefined && (
        <pre className="small mono breaks keeps-lines flush" dir={detectDirection(text)}>
          {text}
        </pre>
      )}
    </section>
  );
}
