/** The head of the page of an instance, above its tabs. */
import type { Instance } from '@steading/api/client'
import { instanceCan, jobVerb } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { apiQuery } from '../../../data/api.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { isForbidden } from '../../../data/errors.ts'
import { Glance, GlanceRow } from '../../../page/glance.tsx'
import { OptionalValue } from '../../../page/query-error.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { EmptyCell, Truncate } from '../../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../../ui/time.tsx'
import { nameOfUser, ResultBadge, sentenceOf } from '../../../workspace/history/entries.tsx'
import { ScreenThumbnail } from '../../display/thumbnail.tsx'
import { reachableIps } from '../external-ips.tsx'
import { instanceExternalIpsQuery, type InstanceParams } from '../queries.ts'
import { hostOf, sshCommand, sshEndpointOf } from '../ssh-command.ts'
import { Command, SimulatedNote, useInstanceNetwork, useLoginUser } from './ssh.tsx'

const Sparklines = lazyPart(() => import('./sparklines.tsx'))
const CostRow = lazyPart(() => import('./cost-row.tsx'))
const ConsoleLines = lazyPart(() => import('./console-lines.tsx'))

/** Milliseconds between reads of the last event: refused actions announce nothing. */
const EVENT_POLL_MS = 10_000

type HeadProps = { params: InstanceParams; instance: Instance }

export function InstanceHead({ params, instance }: HeadProps) {
  const running = instance.runState === 'running'
  const priced = useCapability('usage')
  return (
    <div className="grid gap-4 px-(--gutter) pb-4 md:grid-cols-2 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none">
      <Glance className={running ? 'md:max-xl:col-span-2' : undefined}>
        <SshRow params={params} instance={instance} />
        <LastEvent params={params} instance={instance} />
        <NextSchedule params={params} instance={instance} />
        {priced && (
          <Suspense>
            <CostRow params={params} instance={instance} />
          </Suspense>
        )}
      </Glance>
      {running && (
        <Suspense fallback={<div className="min-h-41" aria-busy />}>
          <Sparklines params={params} instance={instance} />
        </Suspense>
      )}
      <Screen params={params} instance={instance} />
    </div>
  )
}

/** The screen, or the last lines of the console where there is none now. */
function Screen({ params, instance }: HeadProps) {
  const hasScreen = useCapability('display')
  const hasLog = useCapability('serialConsoleLog')
  if (hasScreen && instanceCan('display', instance.runState)) {
    return <ScreenThumbnail params={params} instance={instance} />
  }
  return (
    hasLog && (
      <Suspense fallback={<div className="min-h-41" aria-busy />}>
        <ConsoleLines params={params} instance={instance} />
      </Suspense>
    )
  )
}

function SshRow({ params, instance }: HeadProps) {
  const user = useLoginUser(params, instance)
  const { supported, read } = useInstanceNetwork(params)
  const ips = useQuery(instanceExternalIpsQuery(params))
  const forwards = supported && !read.data?.direct
  const found = () => {
    if (!forwards) return { host: reachableIps(ips.data?.items ?? [])[0]?.ip }
    const endpoint = sshEndpointOf(read.data?.endpoints ?? [])
    return endpoint && { host: hostOf(endpoint, location.hostname), port: endpoint.hostPort }
  }
  const target = found()
  return (
    <GlanceRow label="SSH">
      <OptionalValue<unknown> by={forwards ? read : ips}>
        {() =>
          target?.host ? (
            <>
              <Command text={sshCommand({ user, ...target })} />
              <SimulatedNote />
            </>
          ) : (
            <span className="text-secondary">
              {forwards ? 'No port of the host leads to SSH' : 'No external IP address'}
              {', see '}
              <TextLink
                to={`/projects/$project/instances/$instance/${forwards ? 'connect' : 'networking'}`}
                params={params}
              >
                {forwards ? 'Connect' : 'Networking'}
              </TextLink>
            </span>
          )
        }
      </OptionalValue>
    </GlanceRow>
  )
}

/** The latest entry of the history; nothing without a history. */
function LastEvent({ params, instance: { id } }: HeadProps) {
  const enabled = useCapability('auditLog')
  const { data, error } = useQuery({
    ...apiQuery('historyList', {
      query: { kind: 'instance', id, sortBy: 'time_and_id_descending', limit: 1 },
    }),
    enabled,
    refetchInterval: EVENT_POLL_MS,
  })
  if (!enabled || error) return null
  const [entry] = data?.items ?? []
  return (
    <GlanceRow label="Last event" oneLine>
      {entry ? (
        <>
          <TextLink
            to="/projects/$project/instances/$instance/history"
            params={params}
            className="min-w-0"
          >
            <Truncate text={sentenceOf(entry)} />
          </TextLink>
          {entry.result.kind === 'error' && <ResultBadge result={entry.result} />}
          <span className="shrink-0 text-tertiary">
            {nameOfUser(entry)}, <TimeAgo date={entry.timeCompleted} caption="Time" ago />
          </span>
        </>
      ) : (
        <EmptyCell />
      )}
    </GlanceRow>
  )
}

/** The schedule that acts on the instance next; nothing for users who may not read schedules. */
function NextSchedule({ params: { project }, instance: { id } }: HeadProps) {
  const enabled = useCapability('schedules')
  const { data, error } = useQuery({
    ...apiQuery('coveringScheduleList', { query: { instance: id } }),
    enabled,
  })
  if (!enabled || (error && !data) || isForbidden(error)) return null
  const [next] = (data?.items ?? [])
    .flatMap(({ name, action, timeNext }) => (timeNext ? [{ name, action, timeNext }] : []))
    .toSorted((a, b) => a.timeNext.getTime() - b.timeNext.getTime())
  return (
    <GlanceRow label="Next schedule" oneLine>
      {next ? (
        <>
          <TextLink
            to="/projects/$project/schedules/$schedule"
            params={{ project, schedule: next.name }}
            className="min-w-0"
          >
            <Truncate text={next.name} />
          </TextLink>
          <span className="shrink-0 text-tertiary">
            {jobVerb(next.action)}, <DateTime date={next.timeNext} />
          </span>
        </>
      ) : (
        <EmptyCell />
      )}
    </GlanceRow>
  )
}
