import type { ExternalIp } from '@steading/api/client'
import { ipVersion, IpLink } from '../external-ips.tsx'
import { PoolCell } from '../../../networking/pools/pool-cell.tsx'
import { VersionTag } from '../../../networking/pools/pool-option.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { Column } from '../../../ui/column.ts'
import { Description, EmptyCell, Truncate } from '../../../ui/text.tsx'
import { HelpTip, tooltip } from '../../../ui/tooltip.tsx'

type NamelessKind = Exclude<ExternalIp['kind'], 'floating'>
const kindLabels: Record<NamelessKind, string> = { ephemeral: 'Ephemeral', snat: 'SNAT' }

const Nameless = ({ kind }: { kind: NamelessKind }) => (
  <span {...tooltip(`${kindLabels[kind]} IPs don’t have names or descriptions`)}>
    <EmptyCell />
  </span>
)

export const externalIpColumns: Column<ExternalIp>[] = [
  {
    id: 'ip',
    header: 'ip',
    width: 264,
    cell: (ip) => (
      <span className="flex items-center gap-2">
        <span className="shrink-0">
          <IpLink ip={ip.ip} />
        </span>
        {ip.kind === 'snat' && (
          <span {...tooltip('Outbound traffic uses this IP and port range')}>
            <Tag>
              <span className="tabular-nums">
                {ip.firstPort}–{ip.lastPort}
              </span>
            </Tag>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 112,
    phone: 'first',
    tip: (
      <HelpTip>
        A floating IP can move between instances. An ephemeral IP lives and dies with its instance.
        A SNAT IP is for outbound traffic only.
      </HelpTip>
    ),
    cell: ({ kind }) => <Tag>{kind}</Tag>,
  },
  {
    id: 'version',
    header: 'Version',
    width: 88,
    cell: ({ ip }) => <VersionTag version={ipVersion(ip)} />,
  },
  {
    id: 'ip-pool',
    header: 'IP pool',
    width: 152,
    phone: 'second',
    labelled: true,
    cell: ({ ipPoolId }) => <PoolCell id={ipPoolId} />,
  },
  {
    id: 'name',
    header: 'name',
    phone: 'second',
    cell: (ip) =>
      ip.kind === 'floating' ? <Truncate text={ip.name} /> : <Nameless kind={ip.kind} />,
  },
  {
    id: 'description',
    header: 'description',
    cell: (ip) =>
      ip.kind === 'floating' ? <Description text={ip.description} /> : <Nameless kind={ip.kind} />,
  },
]
