import { Bytes } from "#app/components/bytes.tsx";
import { Moment } from "#app/components/moment.tsx";
import { Tags } from "#app/components/tags.tsx";
import { languageLabel } from "#domain/language.ts";

export type FileRow = {
  id: string;
  file_name: string;
  language: string;
  description: string;
  tags: string[];
  size_bytes: number;
  created_at: string;
};

export function FileRows({ files }: { files: FileRow[] }) {
  return (
    <ul className="file-rows">
      {files.map((file) => (
        <Row key={file.id} file={file} />
      ))}
    </ul>
  );
}

function Row({ file }: { file: FileRow }) {
  const described = file.description !== "" || file.tags.length > 0;
  return (
    <li className="file-row">
      <LanguageDot language={file.language} />
      <div className="file-words">
        <div className="file-heading">
          <a className="file-name" href={`/file/${file.id}`} dir="ltr">
            {file.file_name}
          </a>
        </div>
        {described && <About file={file} />}
      </div>
      <div className="file-facts">
        <a className="file-language" href={`/files?lang=${encodeURIComponent(file.language)}`}>
          {languageLabel(file.language)}
        </a>
        <span className="file-size">
          <Bytes count={file.size_bytes} />
        </span>
        <span className="file-moment">
          <Moment at={file.created_at} />
        </span>
      </div>
    </li>
  );
}

function About({ file }: { file: FileRow }) {
  return (
    <div className="file-about">
      {file.description && (
        <span className="file-description" dir="auto">
          {file.description}
        </span>
      )}
      <Tags tags={file.tags} />
    </div>
  );
}

/** A colour to find by; the language's name stands beside it or is its title. */
export function LanguageDot({ language }: { language: string }) {
  return <span className="language-dot" data-language={language} title={languageLabel(language)} />;
}
