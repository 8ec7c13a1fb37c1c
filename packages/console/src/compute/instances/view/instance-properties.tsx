import type { ExternalIp, Instance } from '@steading/api/client'
import { Fragment } from 'react'
import { useQuery } from '@tanstack/react-query'
import { reachableIps, IpLink } from '../external-ips.tsx'
import { InstanceStateBadge, VCpus } from '../instance-cells.tsx'
import {
  instanceExternalIpsQuery,
  instanceNicsQuery,
  useInstanceParams,
  vpcQuery,
} from '../queries.ts'
import { OptionalValue } from '../../../page/query-error.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { PropertiesTable } from '../../../ui/properties-table.tsx'
import { EmptyCell, Size } from '../../../ui/text.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { vpcHome } from '../../../networking/vpcs/queries.ts'
import { InstanceSled } from '../../moves/instance-sled.tsx'
import type { useInstanceSled } from '../../moves/queries.ts'

const SHOWN_IPS = 2

type PropertiesProps = {
  instance: Instance
  sled: ReturnType<typeof useInstanceSled>
}

export function InstanceProperties({ instance, sled }: PropertiesProps) {
  const params = useInstanceParams()
  const ips = useQuery(instanceExternalIpsQuery(params))
  const { ncpus, memory, runState, timeRunStateUpdated } = instance
  return (
    <div className="px-(--gutter) pb-5">
      <PropertiesTable columns={2} rows={sled.isShown ? 5 : 4}>
        <PropertiesTable.Row label="CPU">
          <VCpus count={ncpus} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="RAM">
          <Size bytes={memory} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="State">
          <span className="flex items-center gap-2">
            <InstanceStateBadge state={runState} />
            <span className="text-tertiary">
              <TimeAgo date={timeRunStateUpdated} caption="Run state updated" />
            </span>
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="VPC">
          <PrimaryVpc />
        </PropertiesTable.Row>
        <PropertiesTable.DescriptionRow description={instance.description} />
        <PropertiesTable.DateRow label="Created" date={instance.timeCreated} />
        <PropertiesTable.IdRow id={instance.id} />
        <PropertiesTable.Row label="External IPs">
          <OptionalValue by={ips}>
            {({ items }) => <ExternalIps ips={reachableIps(items)} />}
          </OptionalValue>
        </PropertiesTable.Row>
        {sled.isShown && (
          <PropertiesTable.Row label="Sled">
            <OptionalValue by={sled.read}>{(on) => <InstanceSled {...on} />}</OptionalValue>
          </PropertiesTable.Row>
        )}
      </PropertiesTable>
    </div>
  )
}

function PrimaryVpc() {
  const params = useInstanceParams()
  const nics = useQuery(instanceNicsQuery(params))
  const vpcId = nics.data?.items.find(({ primary }) => primary)?.vpcId
  const vpc = useQuery({ ...vpcQuery(vpcId ?? ''), enabled: Boolean(vpcId) })
  return (
    <OptionalValue by={nics}>
      {() =>
        vpcId ? (
          <OptionalValue by={vpc}>
            {({ name }) => (
              <TextLink to={vpcHome} params={{ project: params.project, vpc: name }}>
                {name}
              </TextLink>
            )}
          </OptionalValue>
        ) : (
          <EmptyCell />
        )
      }
    </OptionalValue>
  )
}

function ExternalIps({ ips }: { ips: ExternalIp[] }) {
  const params = useInstanceParams()
  if (ips.length === 0) return <EmptyCell />
  return (
    <span className="flex flex-wrap items-center gap-x-1">
      {ips.slice(0, SHOWN_IPS).map(({ ip }, index) => (
        <Fragment key={ip}>
          {index > 0 && <span className="text-tertiary">/</span>}
          <IpLink ip={ip} className="max-w-full" />
        </Fragment>
      ))}
      {ips.length > SHOWN_IPS && (
        <>
          <span className="text-tertiary">/</span>
          <TextLink
            to="/projects/$project/instances/$instance/networking"
            params={params}
            aria-label={`${ips.length - SHOWN_IPS} more`}
          >
            …
          </TextLink>
        </>
      )}
    </span>
  )
}
