import { instanceStates } from './rules.ts'
import { named, oneOf } from '../../schema.ts'

/** Apart from the other schemas of instances, because groups speak of it too. */
export const InstanceState = named('InstanceState', oneOf(...instanceStates))
