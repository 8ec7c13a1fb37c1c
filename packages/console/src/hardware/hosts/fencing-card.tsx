import type { Host, HostFencing } from '@steading/api/client'
import { fencingMessages, fencingMethodMeanings, fencingMethodNames } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { seed, useApiMutation, usePrefetchedQuery, whenReread } from '../../data/api.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { DateTime } from '../../ui/time.tsx'
import { doneToast, errorToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { fencingLook } from './host-state.tsx'
import { hostFencingQuery } from './queries.ts'

/** How far the fencing of a host is. */
export function FencingBadge(fencing: Host['fencing']) {
  const { tone, word } = fencingLook(fencing)
  return (
    <StateBadge tone={tone} transitional={tone === 'changing'}>
      {word}
    </StateBadge>
  )
}

function LastCheck({ checking, lastCheck }: HostFencing) {
  if (checking) {
    return (
      <StateBadge tone="changing" transitional>
        Checking
      </StateBadge>
    )
  }
  if (!lastCheck) return <span className="text-secondary">Not checked</span>
  const { power, problem, remedy, timeChecked } = lastCheck
  return (
    <div className="flex min-w-0 flex-col gap-1 py-1 wrap-anywhere">
      <span className="flex flex-wrap items-center gap-x-2">
        <StateBadge tone={problem === null ? 'works' : 'failed'}>
          {problem !== null ? 'Failed' : power === null ? 'Leases work' : `Power is ${power}`}
        </StateBadge>
        <span className="text-secondary">
          <DateTime date={timeChecked} />
        </span>
      </span>
      {problem && <span>{problem}.</span>}
      {remedy && <span className="text-secondary">{remedy}.</span>}
    </div>
  )
}

function useFencingActions(host: Host, fencing: HostFencing): MenuAction[] {
  const navigate = useNavigate()
  const path = { hostId: host.id }
  const check = useApiMutation('hostFencingCheck', {
    onError: ({ message }) => errorToast('Could not check the fencing method', message),
  })
  const remove = useApiAction('hostFencingRemove')
  const isSet = fencing.method !== 'none'
  return [
    {
      label: 'Check method',
      calls: 'hostFencingCheck',
      disabledReason: !isSet ? fencingMessages.noMethod : fencing.checking && 'It is being checked',
      onAction: () => check.mutate({ path }),
    },
    {
      label: isSet ? 'Change method' : 'Set method',
      calls: 'hostFencingUpdate',
      onAction: () => {
        seed('hostFencingView', { path }, fencing)
        void navigate({ to: '/system/inventory/hosts/$host/fencing', params: { host: host.id } })
      },
    },
    {
      label: 'Remove method',
      calls: 'hostFencingRemove',
      danger: true,
      disabledReason: !isSet && fencingMessages.noMethod,
      onAction: () =>
        confirmAction({
          title: 'Remove fencing method',
          body: 'If the host dies, its instances do not start elsewhere by themselves.',
          errorTitle: 'Could not remove the fencing method',
          danger: true,
          ...remove({ path }),
          action: async () => {
            await remove({ path }).action()
            doneToast('Fencing method of', host.name, 'removed')
            await whenReread()
          },
        }),
    },
  ]
}

/** How a host is switched off when it does not answer, and whether that would work. */
export function FencingCard({ host }: { host: Host }) {
  const { data: fencing } = usePrefetchedQuery(hostFencingQuery(host.id))
  const actions = useFencingActions(host, fencing)
  const { method, address, port, system } = fencing
  return (
    <Card
      title="Fencing"
      description="Proves that a silent host is dead, before its instances start elsewhere"
      actions={<ActionButtons variant="secondary" actions={actions} />}
    >
      {method === 'none' ? (
        <CardEmpty
          title="No fencing method"
          body="If this host dies, an operator has to expunge its sled before its instances start elsewhere"
        />
      ) : (
        <CardBody>
          <PropertiesTable columns={2}>
            <PropertiesTable.Row label="Method">
              {fencingMethodNames[method]}
              <span className="block text-xs text-secondary">{fencingMethodMeanings[method]}</span>
            </PropertiesTable.Row>
            {address !== null && (
              <PropertiesTable.Row label="Address">
                <span className="font-mono wrap-anywhere">
                  {address}
                  {port !== null && `:${port}`}
                </span>
                {system !== null && (
                  <span className="block text-xs text-secondary wrap-anywhere">{system}</span>
                )}
              </PropertiesTable.Row>
            )}
            <PropertiesTable.Row label="Fenced">
              {host.fencing.automatic ? 'Automatically, once it is silent' : 'By an operator only'}
            </PropertiesTable.Row>
            <PropertiesTable.Row label="State">
              <FencingBadge {...host.fencing} />
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Last check">
              <LastCheck {...fencing} />
            </PropertiesTable.Row>
          </PropertiesTable>
        </CardBody>
      )}
    </Card>
  )
}
