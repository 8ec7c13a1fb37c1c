import { GiB } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { TriangleAlert } from 'lucide-react'
import { useWatch, type Control } from 'react-hook-form'
import { quotaRows, type QuotaRow } from '../quota.ts'
import { cx } from '../../../ui/cx.ts'
import { Size } from '../../../ui/text.tsx'
import { bootSource } from './boot-source.ts'
import { ChoicesPart } from './choices-part.tsx'
import { isLoaded, type Offer } from './queries.ts'
import { userDataText } from './user-data.tsx'
import {
  requiredQuota,
  queuedName,
  queuedSize,
  reachableFloatingIps,
  sizeOf,
  type BootSource,
  type ChosenPool,
  type InstanceValues,
  type NetworkValues,
} from './values.ts'

type SummaryProps = { control: Control<InstanceValues>; offer: Offer }

const number = (value: number) => (Number.isFinite(value) ? value : '–')

const networkNames = { dual_stack: 'IPv4 & IPv6', ipv4: 'IPv4', ipv6: 'IPv6' } as const

const restarts = {
  default: 'Restarts (default)',
  best_effort: 'Restarts',
  never: 'Stays failed',
}

const interfaceLines = ({ network, ipVersions, nics }: NetworkValues): string[] => {
  if (network === 'default') return [`Default, ${networkNames[ipVersions]}`]
  return network === 'custom'
    ? nics.map(({ name, vpcName, subnetName }) => `${name} in ${vpcName}/${subnetName}`)
    : []
}

const addressLines = (values: InstanceValues): string[] => [
  ...[values.ephemeral4 && values.pool4, values.ephemeral6 && values.pool6]
    .filter((pool) => pool !== false)
    .map((pool) => `1 ephemeral${pool ? ` from ${pool}` : ''}`),
  ...reachableFloatingIps(values).map(({ name, ip }) => `${name}, ${ip}`),
]

const sourceNote = (source: BootSource | undefined) =>
  source && (source.kind === 'snapshot' ? `from snapshot ${source.name}` : source.name)

/** Note below the name of a new disk: source and storage pool. */
const noteOf = (pool: ChosenPool, source?: string): string | undefined =>
  [source, pool && `in ${pool}`].filter(Boolean).join(', ') || undefined

/** The instance the form would create now. */
function useSummary({ control, offer }: SummaryProps) {
  const values = useWatch({ control }) as InstanceValues
  const needed = requiredQuota(values)
  const rows = offer.utilization && quotaRows(offer.utilization, needed, values.start)
  const existing = offer.disks.find(({ name }) => name === values.bootDisk)
  const source = bootSource(values, offer)
  const boot =
    values.boot === 'disk'
      ? existing && { name: existing.name, size: existing.size, note: 'attached' }
      : {
          name: values.bootName || 'boot disk',
          size: values.bootSize * GiB,
          note: noteOf(values.bootPool, sourceNote(source)),
        }
  const keys = offer.keys.filter(({ id }) => values.sshKeys.includes(id)).map(({ name }) => name)
  // Names of chosen keys are unknown until the list of keys has loaded.
  const keyCount = isLoaded(offer, 'keys') ? keys.length : values.sshKeys.length
  return { values, size: sizeOf(values), boot, rows, keys, keyCount }
}

export function Summary(props: SummaryProps) {
  const { values, size, boot, rows, keys, keyCount } = useSummary(props)
  const addresses = addressLines(values)
  const interfaces = interfaceLines(values)
  const hostname = values.hostname || values.name
  const userData = userDataText(values)
  return (
    <div className="flex flex-col gap-5">
      <dl className="flex flex-col gap-2.5">
        <Row label="Instance">
          <span className={cx('font-medium wrap-anywhere', !values.name && 'text-tertiary')}>
            {values.name || 'Not named yet'}
          </span>
          <Note>
            {number(size.ncpus)} {size.ncpus === 1 ? 'vCPU' : 'vCPUs'}, {number(size.memory)} GiB
            RAM
          </Note>
        </Row>
        <Row label={1 + values.disks.length === 1 ? 'Disk' : `${1 + values.disks.length} disks`}>
          {boot ? (
            <Line name={boot.name} bytes={boot.size} note={boot.note} />
          ) : (
            <Note>No boot disk chosen</Note>
          )}
          {values.disks.map((queued) => (
            <Line
              key={queuedName(queued)}
              name={queuedName(queued)}
              bytes={queuedSize(queued)}
              note={queued.action === 'attach' ? 'attached' : noteOf(queued.pool)}
            />
          ))}
        </Row>
        <Row label={interfaces.length > 1 ? `${interfaces.length} interfaces` : 'Interface'}>
          <Lines of={interfaces} />
        </Row>
        <Row label="External IPs">
          <Lines of={addresses} />
        </Row>
        <Row label="SSH keys">
          {keyCount === 0 ? 'None' : keys.length === 0 || keyCount > 4 ? keyCount : keys.join(', ')}
        </Row>
        {values.antiAffinityGroups.length > 0 && (
          <Row label="Affinity groups">
            <Lines of={values.antiAffinityGroups} />
          </Row>
        )}
        <Row label="Hostname">
          <span className={cx('wrap-anywhere', !hostname && 'text-tertiary')}>
            {hostname || 'Not named yet'}
          </span>
        </Row>
        {userData && (
          <Row label="User data">
            <span className="wrap-anywhere">{userData}</span>
          </Row>
        )}
        <Row label="If it fails">{restarts[values.autoRestart]}</Row>
        <Row label="Start">{values.start ? 'Starts after creation' : 'Stays stopped'}</Row>
      </dl>
      {rows && <Quota rows={rows} start={values.start} />}
      {props.offer.reading.utilization.failure && (
        <ChoicesPart part="utilization" offer={props.offer}>
          {null}
        </ChoicesPart>
      )}
    </div>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
    <dt className="text-secondary">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)

const Lines = ({ of }: { of: string[] }) =>
  of.length === 0
    ? 'None'
    : of.map((line) => (
        <span key={line} className="block wrap-anywhere">
          {line}
        </span>
      ))

const Note = ({ children }: { children: ReactNode }) => (
  <span className="block text-secondary tabular-nums">{children}</span>
)

const Line = ({ name, bytes, note }: { name: string; bytes: number; note?: string }) => (
  <span className="flex items-baseline gap-2">
    <span className="min-w-0 flex-1">
      <span className="block wrap-anywhere">{name}</span>
      {note && <span className="block text-xs wrap-anywhere text-tertiary">{note}</span>}
    </span>
    <span className="tabular-nums">{Number.isFinite(bytes) ? <Size bytes={bytes} /> : '–'}</span>
  </span>
)

function Quota({ rows, start }: { rows: QuotaRow[]; start: boolean }) {
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <h3 className="font-medium">Silo quota</h3>
      {rows.map((row) => (
        <QuotaBar key={row.key} row={row} />
      ))}
      <p className="text-xs text-tertiary">
        Storage counts once it is created, CPU and memory{' '}
        {start ? ' when the instance starts.' : ' once the instance is started.'}
      </p>
    </div>
  )
}

function QuotaBar({ row: { label, used, added, capacity, text, warning } }: { row: QuotaRow }) {
  const share = (value: number) => (capacity > 0 ? Math.min(100, (value / capacity) * 100) : 100)
  const usedShare = share(used)
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3 tabular-nums">
        <span>{label}</span>
        <span className="text-xs text-secondary">
          {text.used} <span className="text-primary">+ {text.added}</span> of {text.capacity}
        </span>
      </div>
      <div
        aria-hidden
        className="flex h-1.5 gap-px overflow-hidden rounded-full bg-skeleton forced-colors:border"
      >
        <span
          className="bg-line-control forced-colors:bg-[GrayText]"
          style={{ width: `${usedShare}%` }}
        />
        <span
          className={cx(
            'min-w-0.5 forced-colors:bg-[Highlight]',
            warning ? 'bg-amber' : 'bg-accent',
          )}
          style={{ width: `${Math.min(100 - usedShare, share(added))}%` }}
        />
      </div>
      {warning && (
        <p className="flex gap-1.5 text-xs text-amber-text">
          <TriangleAlert size={14} strokeWidth={1.5} aria-hidden className="mt-px shrink-0" />
          {warning}
        </p>
      )}
    </div>
  )
}

/** One-line summary, shown while the full one is collapsed. */
export function SummaryLine(props: SummaryProps) {
  const { values, size, boot, rows } = useSummary(props)
  const all = [...(boot ? [boot.size] : []), ...values.disks.map(queuedSize)]
  const bytes = all.reduce((sum, each) => sum + (Number.isFinite(each) ? each : 0), 0)
  const over = rows?.some(({ warning }) => warning)
  return (
    <>
      <span className="min-w-0 flex-1 truncate text-secondary tabular-nums">
        {number(size.ncpus)} {size.ncpus === 1 ? 'vCPU' : 'vCPUs'}, {number(size.memory)} GiB,{' '}
        {all.length} {all.length === 1 ? 'disk' : 'disks'} (<Size bytes={bytes} />)
      </span>
      {over && (
        <span className="flex items-center gap-1 text-amber-text">
          <TriangleAlert size={14} strokeWidth={1.5} aria-hidden /> Over quota
        </span>
      )}
    </>
  )
}
