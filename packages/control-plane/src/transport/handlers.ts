import type { operations } from '@steading/api'
import type { Handlers } from '../kernel/context.ts'
import { resourceHandlers } from '../resources/index.ts'
import { eventHandlers } from './event-stream.ts'

/** Every operation of the table; one that is missing does not compile. */
export const handlers: Handlers<typeof operations> = { ...resourceHandlers, ...eventHandlers }
