import { FLEET_ID } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { apiQuery, usePrefetchedQuery } from '../../data/api.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Mono } from '../../ui/text.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'

/** Card with the networks allowed to reach the rack's services. */
export function AllowListCard() {
  const navigate = useNavigate()
  const { allowedIps } = usePrefetchedQuery(apiQuery('networkingAllowListView', {})).data
  const versions = useVersions('allow_list', { id: FLEET_ID }, true)
  const restricts = allowedIps.allow === 'list'
  return (
    <Card
      title="Allow list"
      description="Addresses allowed to reach this console and the API"
      actions={
        <ActionButtons
          actions={[
            ...versions.actions,
            {
              label: 'Edit allow list',
              calls: 'networkingAllowListUpdate',
              local: true,
              onAction: () => void navigate({ to: '/system/networking/settings/allow-list' }),
            },
          ]}
        />
      }
    >
      {versions.panel}
      <CardBody>
        <p className="flex flex-wrap items-center gap-3">
          <StateBadge tone={restricts ? 'works' : 'off'}>
            {restricts ? 'restricted' : 'any source'}
          </StateBadge>
          <span className="text-secondary">
            {restricts
              ? 'Only clients with these addresses are served; all others are refused.'
              : 'Clients with any address are served.'}
          </span>
        </p>
        {restricts && (
          <ul aria-label="Allowed addresses" className="flex flex-wrap gap-x-4 gap-y-1">
            {allowedIps.ips.map((ip) => (
              <li key={ip}>
                <Mono>{ip}</Mono>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}
