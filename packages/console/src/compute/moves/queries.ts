import type { Instance, InstanceMove } from '@steading/api/client'
import type { MoveState } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useFleetViewer } from '../../data/session.ts'
import type { StateTone } from '../../ui/state-badge.tsx'

export const destinationsQuery = (sledId: string, instanceId: string) =>
  apiQuery('instanceDestinationList', { path: { sledId, instanceId } })

/** The moves to and from a sled, the newest first. */
export const sledMovesQuery = (sledId: string, pageToken?: string) =>
  apiQuery('instanceMoveList', {
    path: { sledId },
    query: { limit: PAGE_SIZE, pageToken, sortBy: 'time_and_id_descending' },
  })

export const instanceSledQuery = (id: string) =>
  apiQuery('instanceSledView', { path: { instance: id } })

/**
 * The sled of an instance and its newest move, for operators.
 * @returns also whether it is shown at all, which is known before the answer
 */
export function useInstanceSled({ id }: Pick<Instance, 'id'>) {
  const isKnown = useCapability('instanceMoves')
  const isViewer = useFleetViewer()
  const isShown = isKnown && isViewer
  const read = useQuery({ ...instanceSledQuery(id), enabled: isShown })
  return { isShown, read }
}

export const moveStateLabels: Record<MoveState, { tone: StateTone; word: string }> = {
  moving: { tone: 'changing', word: 'Moving' },
  moved: { tone: 'works', word: 'Moved' },
  failed: { tone: 'failed', word: 'Failed' },
  cancelled: { tone: 'off', word: 'Cancelled' },
}

const causes: Record<InstanceMove['cause'], string> = {
  requested: 'By hand',
  maintenance: 'Maintenance',
  update: 'System update',
}
export const causeWords = ({ cause, userName }: InstanceMove): string =>
  userName === null ? causes[cause] : `${causes[cause]} (${userName})`
