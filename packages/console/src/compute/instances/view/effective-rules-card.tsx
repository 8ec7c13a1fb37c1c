import type { EffectiveFirewallRule, InterfaceFirewallRules } from '@steading/api/client'
import { firewallActionNames } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  actionLooks,
  directionNames,
  hostTypeNames,
  trafficTexts,
} from '../../../networking/firewall-rules/labels.ts'
import { NotEnforcedTag } from '../../../networking/firewall-rules/not-enforced.tsx'
import { apiQuery, usePrefetchedQuery } from '../../../data/api.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { instanceNicsQuery, type InstanceParams, useInstanceParams } from '../queries.ts'
import { DeniedPacketsCard } from './denied-packets-card.tsx'
import { QueryError } from '../../../page/query-error.tsx'
import { Card, CardBody, CardEmpty } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { CellLink, TextLink } from '../../../ui/link.tsx'
import { Table } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { EmptyCell, Truncate } from '../../../ui/text.tsx'
import { tooltip } from '../../../ui/tooltip.tsx'

type Row = EffectiveFirewallRule & { direction: 'inbound' | 'outbound' }

const rowsOf = ({ inbound, outbound }: InterfaceFirewallRules): Row[] => [
  ...inbound.map((rule) => ({ ...rule, direction: 'inbound' as const })),
  ...outbound.map((rule) => ({ ...rule, direction: 'outbound' as const })),
]

const hostsOf = ({ filters }: Row): string =>
  (filters.hosts ?? []).map(({ type, value }) => `${hostTypeNames[type]} ${value}`).join(', ')

const columnsOf = (project: string, vpc: string): Column<Row>[] => [
  {
    id: 'name',
    header: 'name',
    cell: (rule) => (
      <span className="flex min-w-0 items-center gap-2">
        <CellLink
          to="/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit"
          params={{ project, vpc, rule: rule.name }}
        >
          {rule.name}
        </CellLink>
        <NotEnforcedTag rule={{ ...rule, status: 'enabled' }} />
        {rule.overruled && (
          <span {...tooltip('Earlier rules already decide all of its traffic')}>
            <Tag>overruled</Tag>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'direction',
    header: 'direction',
    width: 112,
    phone: 'second',
    cell: ({ direction }) => directionNames[direction],
  },
  {
    id: 'priority',
    header: 'priority',
    width: 96,
    align: 'end',
    cell: ({ priority }) => priority,
  },
  {
    id: 'action',
    header: 'action',
    width: 88,
    phone: 'second',
    cell: ({ action }) => (
      <span className={actionLooks[action]}>{firewallActionNames[action]}</span>
    ),
  },
  {
    id: 'traffic',
    header: 'traffic',
    cell: (rule) => <Truncate text={trafficTexts(rule.filters).join(', ') || 'All'} />,
  },
  {
    id: 'hosts',
    header: 'hosts',
    cell: (rule) => {
      const hosts = hostsOf(rule)
      return hosts ? <Truncate text={hosts} /> : <EmptyCell />
    },
  },
]

/**
 * Link to the rules of the VPC, for control planes that do not report the effective rules of an
 * instance.
 */
function RulesOfVpc({ project, instance }: InstanceParams) {
  const nics = usePrefetchedQuery(instanceNicsQuery({ project, instance })).data.items
  const primary = nics.find((nic) => nic.primary)
  const { data: vpc } = useQuery({
    ...apiQuery('vpcView', { path: { vpc: primary?.vpcId ?? '' } }),
    enabled: primary !== undefined,
  })
  return <RulesCard project={project} vpc={vpc?.name} />
}

type RulesCardProps = { project: string; vpc: string | undefined; children?: ReactNode }

const RulesCard = ({ project, vpc, children }: RulesCardProps) => (
  <Card
    title="Firewall rules"
    description={
      vpc ? (
        <>
          Manage firewall rules affecting this instance in VPC{' '}
          <TextLink to="/projects/$project/vpcs/$vpc/firewall-rules" params={{ project, vpc }}>
            {vpc}
          </TextLink>
          .
        </>
      ) : (
        'Firewall rules are managed on the VPC associated with the primary network interface.'
      )
    }
  >
    {children}
  </Card>
)

/** The firewall rules that apply to each interface of an instance, in order of evaluation. */
export default function EffectiveRulesCard() {
  const { project, instance } = useInstanceParams()
  const supported = useCapability('reachability')
  const { data, error, refetch } = useQuery({
    ...apiQuery('instanceFirewallRulesView', { path: { instance }, query: { project } }),
    enabled: supported,
  })
  if (!supported) return <RulesOfVpc project={project} instance={instance} />
  const interfaces = data?.interfaces ?? []
  const vpc = interfaces[0]?.vpc.name
  return (
    <>
      <RulesCard project={project} vpc={vpc}>
        {error ? (
          <CardBody>
            <QueryError error={error} onRetry={refetch} />
          </CardBody>
        ) : (
          interfaces.map((each) => (
            <Table
              key={each.interface.id}
              label={
                interfaces.length > 1
                  ? `Firewall rules of ${each.interface.name}`
                  : 'Firewall rules of the instance'
              }
              columns={columnsOf(project, each.vpc.name)}
              rows={rowsOf(each)}
              empty={
                <CardEmpty
                  title="No firewall rules apply"
                  body="Inbound traffic is denied and outbound traffic is allowed"
                />
              }
            />
          ))
        )}
      </RulesCard>
      <DeniedPacketsCard vpc={vpc} />
    </>
  )
}
