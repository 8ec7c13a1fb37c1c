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
  jobTargetKinds,
  kindOfOperations,
  type JobAction,
  type JobTargetKind,
} from '@steading/api/rules'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { Calls } from '../../ui/server-state.ts'
import { formatNumber } from '../../ui/number.ts'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { countedNoun, nounOf, stepVerb } from './job-text.ts'
import { usePlanJob } from './open-job.ts'

const TagDialog = lazyPart(() => import('../tags/tag-dialog.tsx'))

const instance = (action: InstanceAction) => (row: object) =>
  instanceCannot(action, (row as Instance).runState)

function snapshotDisk(row: object) {
  const { state, diskType, readOnly } = row as Disk
  return diskCannotSnapshot(state.state, diskType, readOnly)
}

/** Attachments of an instance can be detached, unless its state prevents that. */
const unlessDetached = (what: 'floating IP' | 'external subnet') => (row: object) =>
  (row as FloatingIp | ExternalSubnet).instanceId ? undefined : addressCannotDetach(what, undefined)

const isUploadTarget = ({ state: { state } }: Disk): boolean =>
  state === importSteps.stop.from || state === importSteps.finalize.from

/** Whether only open uploads block the deletion of disks: these are ended without asking. */
const onlyUploadsBlock = (disks: Disk[]): boolean =>
  disks.some(isUploadTarget) &&
  disks.every((disk) => isUploadTarget(disk) || !diskCannot('delete', disk.state.state))

/** Whether some instances cannot be deleted only because they run. */
const someRun = (instances: Instance[]): boolean =>
  instances.some(
    ({ runState }) => instanceCannot('delete', runState) && !instanceCannot('stop', runState),
  )

type Cannot = (row: object) => string | undefined

/**
 * Reason why an action does not apply to a row's current state; for other actions only the plan
 * tells.
 */
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

/** The operation of an action on each row. For projects, the plan tells which may be deleted. */
function callsOf(action: JobAction, kind: JobTargetKind, project: string | undefined): Calls {
  if (action === 'snapshot') return 'snapshotCreate'
  if (action === 'tag') {
    const about = kind === 'image' && !project ? 'silo_image' : kind
    return { operation: 'tagsChange', requires: { [about]: 'modify' } }
  }
  const name = kindOfOperations(kind)
  const operation = `${camel(name)}${action[0]!.toUpperCase()}${action.slice(1)}`
  // Operations of both kinds are asked about with the kind of the list.
  if (jobTargetKinds.includes(`silo_${name}` as JobTargetKind)) return { operation, about: [kind] }
  return kind === 'image' && !project ? { operation, about: ['silo_image'] } : operation
}

type Rows = (object & { id: string; tags?: string[] })[]

/** Resources whose tags a dialog changes. */
type Tagging = { kind: JobTargetKind; rows: Rows; target: JobCreate['target'] }

type BulkBarProps = {
  /** The selected kinds, with the rows of each as last read. */
  selected: { kind: JobTargetKind; rows: Rows }[]
  /** The kinds that have rows in the list. */
  kinds: readonly JobTargetKind[]
  project: string | undefined
  /** The selection covers all results of the list's search. */
  all: { matching: Record<string, string>; total: number | null | undefined } | undefined
  isFiltered: boolean
  /**
   * Number of selectable rows if it exceeds the selection; null beyond what the control plane
   * counts.
   */
  total: number | null | undefined
  /** Called when a job with the whole selection of a kind has begun. */
  onStart: (kind: JobTargetKind) => void
  onSelectAll: () => void
  onClear: () => void
  /** The first action takes the focus, which `onFocus` reports. */
  takesFocus: boolean
  onFocus: () => void
}

/** Bulk actions on the selected rows of a list, by kind if the list has several. */
export function BulkBar(props: BulkBarProps) {
  const { selected, kinds, project, all, isFiltered, total } = props
  const { onStart, onSelectAll, onClear, takesFocus, onFocus } = props
  const plan = usePlanJob()
  const canChain = useCapability('deletion')
  const canTag = useCapability('tags')
  const [tagging, setTagging] = useState<Tagging>()
  const [texts, setTexts] = useState({ set: '', remove: '' })
  const nouns = kinds.map((kind) => nounOf(kind).many)
  const whole = isFiltered ? 'matching' : nouns.join(' and ')

  function actionsFor({ kind, rows }: BulkBarProps['selected'][number]): MenuAction[] {
    const target: JobCreate['target'] = all
      ? { type: 'matching', query: all.matching }
      : { type: 'ids', ids: rows.map(({ id }) => id) }
    const checks = cannot[kind] ?? {}
    // Preliminary steps are optional choices in the plan.
    const chain =
      (kind === 'disk' && !all && onlyUploadsBlock(rows as unknown as Disk[])) ||
      (kind === 'instance' && canChain && someRun(rows as unknown as Instance[]))
    const actions = bulkActions(kind).filter((action) => canTag || action !== 'tag')
    return actions.map((action) => {
      const check = checks[action]
      const reasons = all || !check ? [undefined] : rows.map(check)
      return {
        label: selected.length > 1 ? `${stepVerb(action)} ${nounOf(kind).many}` : stepVerb(action),
        danger: action === 'delete',
        calls: callsOf(action, kind, project),
        disabledReason: reasons.every(Boolean) && reasons[0],
        onAction: () => {
          if (action === 'tag') return setTagging({ kind, rows, target })
          plan(
            {
              action,
              kind,
              project,
              target,
              chain: (action === 'delete' && chain) || undefined,
            },
            { onStart: () => onStart(kind) },
          )
        },
      }
    })
  }
  const count = selected.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <>
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
      {tagging && (
        <TagDialog
          title={
            all
              ? `Tag ${nounOf(tagging.kind).many}`
              : `Tag ${countedNoun(tagging.kind, tagging.rows.length)}`
          }
          kind={tagging.kind}
          present={tagging.rows.flatMap(({ tags = [] }) => tags)}
          texts={texts}
          request={(tags) => ({
            action: 'tag',
            kind: tagging.kind,
            project,
            target: tagging.target,
            tags,
          })}
          onTag={(request, entered) => {
            // After a failure the dialog opens with them again.
            setTexts(entered)
            setTagging(undefined)
            plan(request, { confirmed: true, onStart: () => onStart(tagging.kind) })
          }}
          onDismiss={() => setTagging(undefined)}
        />
      )}
    </>
  )
}
