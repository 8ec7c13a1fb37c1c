import type { MaintenanceInstanceState, MaintenanceState } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { StateTone } from '../../ui/state-badge.tsx'

const args = (sledId: string) => ({ path: { sledId } })

export const maintenanceQuery = (sledId: string) => apiQuery('sledMaintenanceView', args(sledId))
export const statusQuery = (sledId: string) => apiQuery('sledMaintenanceStatus', args(sledId))
export const previewQuery = (sledId: string) => apiQuery('sledMaintenancePreview', args(sledId))

type Words = { tone: StateTone; word: string; changes?: true }

export const maintenanceWords: Record<MaintenanceState, Words> = {
  moving: { tone: 'changing', word: 'Moving instances', changes: true },
  paused: { tone: 'off', word: 'Paused' },
  blocked: { tone: 'attention', word: 'Waiting for room' },
  ready: { tone: 'works', word: 'Empty' },
}

export const instanceWords: Record<MaintenanceInstanceState, Words> = {
  moving: { tone: 'changing', word: 'Moving', changes: true },
  stopping: { tone: 'changing', word: 'Stopping', changes: true },
  waiting: { tone: 'off', word: 'Waiting' },
  impossible: { tone: 'attention', word: 'Cannot move' },
}
