import { instanceStates } from './rules.ts'
import { named, oneOf } from '../../schema.ts'

/** Separate from the other instance schemas, because affinity groups use it too. */
export const InstanceState = named('InstanceState', oneOf(...instanceStates))
