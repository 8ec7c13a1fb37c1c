import type { operations } from '@steading/api'
import type { Handlers } from '../kernel/context.ts'
import { resourceHandlers } from '../resources/index.ts'
import { eventHandlers } from './event-stream.ts'

/** The handlers of all operations; a missing one is a type error. */
export const handlers: Handlers<typeof operations> = { ...resourceHandlers, ...eventHandlers }
