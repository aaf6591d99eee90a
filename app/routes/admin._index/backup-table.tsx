import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/ui/bytes.tsx";
import { Moment } from "#app/ui/moment.tsx";
import { Table } from "#app/ui/table.tsx";

type Backups = { enabled: boolean; files: { name: string; bytes: number; created_at: string }[] | null };

export function BackupTable({ backups: { enabled, files } }: { backups: Backups }) {
  const { backups: text, unknown } = useText().operators;
  if (!enabled) return <p className="soft">{text.off}</p>;
  if (!files) return <p className="soft">{unknown}</p>;
  if (files.length === 0) return <p className="soft">{text.none}</p>;
  return (
    <Table name={text.title} headings={[text.name, text.size, text.made]} stacked>
      {files.map(({ name, bytes, created_at }) => (
        <tr key={name}>
          <th scope="row">
            <code dir="ltr">{name}</code>
          </th>
          <td data-label={text.size}>
            <Bytes count={bytes} />
          </td>
          <td data-label={text.made}>
            <Moment at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
