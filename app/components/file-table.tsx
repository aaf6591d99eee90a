import { Moment } from "#app/components/moment.tsx";
import { useText } from "#app/i18n/text.ts";
import { languageLabel } from "#domain/language.ts";

export type FileRow = {
  id: string;
  file_name: string;
  language: string;
  size_bytes: number;
  created_at: string;
};

export function FileTable({ files }: { files: FileRow[] }) {
  const text = useText().files;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text.name}</th>
          <th scope="col">{text.language}</th>
          <th scope="col">{text.size}</th>
          <th scope="col">{text.created}</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.id}>
            <td>
              <a href={`/file/${file.id}`} dir="auto">
                {file.file_name}
              </a>
            </td>
            <td>{languageLabel(file.language)}</td>
            <td>
              <Bytes count={file.size_bytes} />
            </td>
            <td>
              <Moment at={file.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const STEPS = [
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

export function Bytes({ count }: { count: number }) {
  const [unit, size] = STEPS.find(([, bytes]) => count >= bytes) ?? ["B", 1];
  return <bdi dir="ltr">{`${Math.round((count / size) * 10) / 10} ${unit}`}</bdi>;
}
