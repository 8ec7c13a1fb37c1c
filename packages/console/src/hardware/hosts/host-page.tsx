import type { Host } from '@steading/api/client'
import { asSentence, HOST_CLOCK_APART_EFFECT, hostOutOfReach } from '@steading/api/rules'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { ResourceHeader } from '../../page/resource-header.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { DateTime } from '../../ui/time.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { ChecksCard } from './checks-card.tsx'
import { FencingCard } from './fencing-card.tsx'
import { useHostActions } from './host-actions.tsx'
import { HostStateBadge, worstFinding } from './host-state.tsx'
import { hostQuery, useHostParam } from './queries.ts'
import { StoryCard } from './story-card.tsx'

const docs = {
  topic: 'hosts',
  summary:
    'A host is a machine with libvirt that runs instances. It is checked when it is added; if it passes, it becomes a sled of the rack.',
}

/** The present treatment of a silent host by its leases; undefined if there is none. */
function leasesNotice({ fencing }: Host) {
  const { state, timeSince, reason, remedy, leaseHold } = fencing
  if (state === 'fenced') {
    return (
      <Banner variant="error" title="The host is fenced">
        The leases of its guests ran out at {timeSince && <DateTime date={timeSince} />}, so they
        have ended. Find the cause: the host is in service again once it answers and nothing of
        before runs on it. Or expunge its sled.
      </Banner>
    )
  }
  if (state !== 'fencing' || reason === null) return undefined
  if (leaseHold === 'running_out') {
    return (
      <Banner variant="error" title="Waiting for the lease">
        It does not answer, and {reason}. Its instances start elsewhere once they have, about three
        minutes after the host has died.
      </Banner>
    )
  }
  return (
    <Banner variant="error" title="The host is not proven dead">
      {asSentence(reason)}. Its instances do not start elsewhere.{remedy && ` ${remedy}.`}
    </Banner>
  )
}

/** The present treatment of a host that does not answer; undefined if there is none. */
function fencingNotice(host: Host) {
  const { fencing, connection } = host
  const { method, state, timeSince, reason, remedy, automatic } = fencing
  const since = timeSince && <DateTime date={timeSince} />
  const ofLeases = method === 'leases' ? leasesNotice(host) : undefined
  if (ofLeases) return ofLeases
  if (state === 'fenced') {
    return (
      <Banner variant="error" title="The host was switched off">
        Its power is off since {since}. Find the cause, and switch it on: it is in service again
        once it answers and nothing of before runs on it. Or expunge its sled.
      </Banner>
    )
  }
  if (state === 'fencing') {
    return (
      <Banner variant="error" title="The host is being switched off">
        {reason === null
          ? 'Its instances start elsewhere once its power is off.'
          : `The last attempt failed: ${reason}. It is tried again.`}
        {remedy && ` ${remedy}.`}
      </Banner>
    )
  }
  if (state === 'suspect') {
    return (
      <Banner variant="error" title="The host is out of reach">
        It has not answered since {since}
        {connection?.reason && `: ${connection.reason}`}. {hostOutOfReach}.{' '}
        {reason !== null
          ? `It is not fenced: ${reason}.`
          : automatic && 'It is called again, and then fenced.'}
      </Banner>
    )
  }
  return undefined
}

/** The state of a host that an operator should know before anything else. */
function Standing({ host }: { host: Host }) {
  const { state, checking, nextAddress, address, connection, sledId } = host
  const worst = worstFinding(host)
  const hasFailed = worst?.outcome === 'failed'
  if (state === 'joining') {
    return (
      <Banner title="The sled of the host is being added">
        It waits while other sleds are added to the rack.
      </Banner>
    )
  }
  if (state === 'expunged') {
    return (
      <Banner title="The sled of the host was expunged">
        {sledId
          ? 'The host can be removed once the sled holds nothing.'
          : 'Remove the host, or add its sled again under Waiting to be added.'}
      </Banner>
    )
  }
  if (state !== 'in_service') return null
  const fenced = fencingNotice(host)
  if (fenced) return fenced
  if (connection?.connected === false) {
    return (
      <Banner variant="error" title="The host is out of reach">
        It has not answered since <DateTime date={connection.timeSince} />
        {connection.reason && `: ${connection.reason}`}. {hostOutOfReach}.
      </Banner>
    )
  }
  if (nextAddress) {
    return checking || !hasFailed ? (
      <Banner title="The host is checked at its new address">
        Until it has passed there, {address} is used.
      </Banner>
    ) : (
      <Banner variant="notice" title="The new address was refused">
        {nextAddress} failed a check. The host stays in service at {address}.
      </Banner>
    )
  }
  return hasFailed ? (
    <Banner variant="notice" title="The host fails a check">
      {worst.check === 'clock'
        ? `It stays in service, but its clock is wrong: ${HOST_CLOCK_APART_EFFECT}.`
        : 'It stays in service. Instances that start there may fail.'}
    </Banner>
  ) : null
}

function Connection({ connection }: Pick<Host, 'connection'>) {
  if (!connection) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StateBadge tone={connection.connected ? 'works' : 'failed'}>
        {connection.connected ? 'Connected' : 'Not connected'}
      </StateBadge>
      <span className="text-secondary">
        since <DateTime date={connection.timeSince} />
      </span>
    </span>
  )
}

export function HostPage() {
  const { data: host } = usePrefetchedQuery(hostQuery(useHostParam()))
  const navigate = useNavigate()
  const leave = () => navigate({ to: '/system/inventory/hosts' })
  const actions = useHostActions(leave)(host)
  const star = useStarAction('host')
  const history = useHistoryAction('host')
  const who = useWhoCan('host', undefined)
  const { sledId, serial, state } = host
  const isKnown = state !== 'checking' && state !== 'refused'
  const outages = isKnown && <StoryCard hostId={host.id} />
  const isTroubled = host.fencing.state !== 'idle'
  return (
    <>
      <ResourceHeader
        title={host.name}
        icon={<Network strokeWidth={1.5} aria-hidden />}
        kind="host"
        thing={host}
        meta={<HostStateBadge {...host} />}
      >
        <DocsPopover {...docs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionButtons variant="secondary" actions={actions} />
        <ActionMenu
          label="Host actions"
          actions={[copyAction('Copy ID', host.id), ...star(host), ...history(host), ...who(host)]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="flex flex-col gap-4 px-(--gutter)">
          <Standing host={host} />
          <PropertiesTable columns={2}>
            <PropertiesTable.CopyRow label="Address" text={host.address} />
            {serial && (
              <>
                <PropertiesTable.Row label="Connection">
                  {host.connection && <Connection connection={host.connection} />}
                </PropertiesTable.Row>
                <PropertiesTable.Row label="Sled">
                  {sledId && (
                    <TextLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId }}>
                      {serial}
                    </TextLink>
                  )}
                </PropertiesTable.Row>
                <PropertiesTable.Row label="Serial">{serial}</PropertiesTable.Row>
                <PropertiesTable.Row label="Part">{host.part}</PropertiesTable.Row>
              </>
            )}
            <PropertiesTable.DateRow label="Added" date={host.timeCreated} />
          </PropertiesTable>
        </div>
        {isTroubled && outages}
        <ChecksCard {...host} />
        {isKnown && <FencingCard host={host} />}
        {!isTroubled && outages}
      </div>
      <Outlet />
    </>
  )
}
