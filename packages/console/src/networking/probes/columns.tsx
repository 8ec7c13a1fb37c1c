import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyableId, CopyButton } from '../../ui/copy-button.tsx'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell, MiddleTruncate } from '../../ui/text.tsx'
import { privateAddresses } from './addresses.ts'
import type { ProbeRow } from './list.ts'
import { SledLink } from './sled-link.tsx'

const Address = ({ ip }: { ip: string | undefined }) =>
  ip === undefined ? (
    <EmptyCell />
  ) : (
    <span className="flex min-w-0 items-center gap-0.5">
      <span className="min-w-0 font-mono text-xs tracking-tight">
        <MiddleTruncate text={ip} />
      </span>
      <CopyButton text={ip} />
    </span>
  )

export const probeColumns = (project: string, leadsToSleds: boolean): Column<ProbeRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/projects/$project/probes/$probe" params={{ project, probe: name }}>
        {name}
      </CellLink>
    ),
  },
  descriptionColumn as Column<ProbeRow>,
  {
    id: 'external-ip',
    header: 'external IP',
    sort: 'ip',
    width: 192,
    phone: 'second',
    cell: ({ externalIps }) => <Address ip={externalIps[0]?.ip} />,
  },
  {
    id: 'private-ip',
    header: 'private IP',
    width: 176,
    cell: (probe) => <Address ip={privateAddresses(probe)[0]?.ip} />,
  },
  {
    id: 'sled',
    header: 'sled',
    width: 208,
    cell: ({ sled }) => (leadsToSleds ? <SledLink id={sled} /> : <CopyableId id={sled} />),
  },
  { ...(createdColumn as Column<ProbeRow>), optional: true },
]
