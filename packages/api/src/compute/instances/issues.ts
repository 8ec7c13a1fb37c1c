import type { PauseReason } from './pause.ts'
import { inPath, issueRule, placeWords, type ReadWithin } from '../../observability/issues/rules.ts'

/** Milliseconds in a transitional state after which an instance counts as stuck. */
export const STUCK_AFTER_MS = 10 * 60 * 1000

interface InstanceLocation {
  name: string
  project: string
  silo: string
  /** Whether the instance is in the caller's silo; operators do not see projects of other silos. */
  own: boolean
  within?: ReadWithin
}

const page = ({ name, project, silo, own }: InstanceLocation) =>
  own
    ? `/projects/${inPath(project)}/instances/${inPath(name)}/storage`
    : `/system/silos/${inPath(silo)}`

const called = ({ name, project, silo, within }: InstanceLocation) =>
  `Instance ${name}${placeWords(project, silo, within)}`

interface Sled {
  id: string
  serial: string
}

const pauseCauses: Record<PauseReason, string> = {
  no_space: 'has no room for what its guest writes. It continues when there is room',
  io_error:
    'cannot read or write one of its disks. Repair the storage, and then reboot the instance',
}

export const instanceIssues = {
  instance_failed: issueRule<InstanceLocation & { reason: string | null }>({
    severity: 'critical',
    about: ['instance'],
    sentence: ({ reason, ...location }) =>
      `${called(location)} has failed${reason ? `: ${reason}` : ''}`,
    ended: ({ isRunning, ...location }) =>
      `${called(location)} ${isRunning ? 'works again' : 'is no longer failed'}`,
    subject: called,
    path: page,
  }),
  instance_paused: issueRule<InstanceLocation & { reason: PauseReason; sled: Sled }>({
    severity: 'critical',
    about: ['instance', 'sled'],
    sentence: ({ reason, sled, ...location }) =>
      `${called(location)} is paused: host ${sled.serial} ${pauseCauses[reason]}`,
    ended: ({ isRunning, ...location }) =>
      `${called(location)} ${isRunning ? 'runs again' : 'is no longer paused'}`,
    subject: called,
    path: ({ sled }) => `/system/inventory/sleds/${inPath(sled.id)}/instances`,
    next: 'See the host',
  }),
  instance_stuck: issueRule<InstanceLocation & { state: string }>({
    severity: 'warning',
    about: ['instance'],
    sentence: ({ state, ...location }) => `${called(location)} is stuck in state ${state}`,
    ended: ({ state, ...location }) => `${called(location)} is no longer stuck in state ${state}`,
    subject: called,
    path: page,
  }),
}
