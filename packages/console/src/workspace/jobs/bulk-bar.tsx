import {
  camel,
  type Disk,
  type ExternalSubnet,
  type FloatingIp,
  type Instance,
  type JobCreate,
} from '@steading/api/client'
import {
  addressCannotDetach,
  bulkActions,
  diskCannot,
  diskCannotSnapshot,
  importSteps,
  type InstanceAction,
  instanceCannot,
  type JobAction,
  type JobTargetKind,
} from '@steading/api/rules'
import { useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { Calls } from '../../ui/server-state.ts'
import { formatNumber } from '../../ui/number.ts'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { nounOf, stepVerb } from './job-text.ts'
import { usePlanJob } from './open-job.ts'

const instance = (action: InstanceAction) => (row: object) =>
  instanceCannot(action, (row as Instance).runState)

function snapshotDisk(row: object) {
  const { state, diskType, readOnly } = row as Disk
  return diskCannotSnapshot(state.state, diskType, readOnly)
}

/** What an instance has is detached, unless the state of the instance is in the way. */
const unlessDetached = (what: 'floating IP' | 'external subnet') => (row: object) =>
  (row as FloatingIp | ExternalSubnet).instanceId ? undefined : addressCannotDetach(what, undefined)

const isUploadTarget = ({ state: { state } }: Disk): boolean =>
  state === importSteps.stop.from || state === importSteps.finalize.from

/** Whether open uploads are all that blocks the deletion of disks: they are ended without a question. */
const onlyUploadsBlock = (disks: Disk[]): boolean =>
  disks.some(isUploadTarget) &&
  disks.every((disk) => isUploadTarget(disk) || !diskCannot('delete', disk.state.state))

/** Whether some of these instances are only in the way of their deletion because they run. */
const someRun = (instances: Instance[]): boolean =>
  instances.some(
    ({ runState }) => instanceCannot('delete', runState) && !instanceCannot('stop', runState),
  )

type Cannot = (row: object) => string | undefined

/** Why an action cannot be done to a thing as it is now; for all others only the plan says so. */
const cannot: Partial<Record<JobTargetKind, Partial<Record<JobAction, Cannot>>>> = {
  instance: {
    start: instance('start'),
    stop: instance('stop'),
    reboot: instance('reboot'),
  },
  disk: { snapshot: snapshotDisk },
  floating_ip: { detach: unlessDetached('floating IP') },
  external_subnet: { detach: unlessDetached('external subnet') },
}

/** What an action does to each thing. Of projects, the plan says which may be deleted. */
function callsOf(action: JobAction, kind: JobTargetKind, project: string | undefined): Calls {
  if (action === 'snapshot') return 'snapshotCreate'
  const operation = `${camel(kind)}${action[0]!.toUpperCase()}${action.slice(1)}`
  return kind === 'image' && !project ? { operation, about: ['silo_image'] } : operation
}

type Rows = (object & { id: string })[]

type BulkBarProps = {
  /** The kinds of what is selected, and the selected rows of each, as they were last read. */
  selected: { kind: JobTargetKind; rows: Rows }[]
  /** The kinds of which there are any in the list. */
  kinds: readonly JobTargetKind[]
  project: string | undefined
  /** Everything that the list's search finds is selected. */
  all: { matching: Record<string, string>; total: number | null | undefined } | undefined
  isFiltered: boolean
  /** How many rows could be selected, if more than are; null if the control plane does not count that far. */
  total: number | null | undefined
  /** A job with all selected things of a kind has begun. */
  onStart: (kind: JobTargetKind) => void
  onSelectAll: () => void
  onClear: () => void
  /** The focus goes to the first action, which `onFocus` then tells. */
  takesFocus: boolean
  onFocus: () => void
}

/** Bulk actions on the selected rows of a list, by kind if the list has several. */
export function BulkBar(props: BulkBarProps) {
  const { selected, kinds, project, all, isFiltered, total } = props
  const { onStart, onSelectAll, onClear, takesFocus, onFocus } = props
  const plan = usePlanJob()
  const canChain = useCapability('deletion')
  const nouns = kinds.map((kind) => nounOf(kind).many)
  const whole = isFiltered ? 'matching' : nouns.join(' and ')

  function actionsFor({ kind, rows }: BulkBarProps['selected'][number]): MenuAction[] {
    const target: JobCreate['target'] = all
      ? { type: 'matching', query: all.matching }
      : { type: 'ids', ids: rows.map(({ id }) => id) }
    const checks = cannot[kind] ?? {}
    // Steps that have to come first are chosen in the plan, where they can be left out.
    const chain =
      (kind === 'disk' && !all && onlyUploadsBlock(rows as unknown as Disk[])) ||
      (kind === 'instance' && canChain && someRun(rows as unknown as Instance[]))
    return bulkActions(kind).map((action) => {
      const check = checks[action]
      const reasons = all || !check ? [undefined] : rows.map(check)
      return {
        label: selected.length > 1 ? `${stepVerb(action)} ${nounOf(kind).many}` : stepVerb(action),
        danger: action === 'delete',
        calls: callsOf(action, kind, project),
        disabledReason: reasons.every(Boolean) && reasons[0],
        onAction: () =>
          plan(
            {
              action,
              kind,
              project,
              target,
              chain: (action === 'delete' && chain) || undefined,
            },
            { onStart: () => onStart(kind) },
          ),
      }
    })
  }
  const count = selected.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <SelectionBar
      selected={
        all
          ? `All ${all.total ? `${formatNumber(all.total)} ` : ''}${whole} selected`
          : `${formatNumber(count)} selected`
      }
      actions={selected.flatMap(actionsFor)}
      onClear={onClear}
      takesFocus={takesFocus}
      onFocus={onFocus}
    >
      {!all && total !== undefined && (
        <Button variant="ghost" size="sm" className="text-accent-text!" onClick={onSelectAll}>
          Select all {total === null ? '' : `${formatNumber(total)} `}
          {whole}
        </Button>
      )}
    </SelectionBar>
  )
}
