export {
  TIMESERIES_CREATED,
  type TimeseriesFact,
  timeseriesByName,
  timeseriesFacts,
} from './catalog.ts'
export type { AuthzScope, DatumType, FieldType, Unit } from './vocabulary.ts'
export { ioKinds, type VcpuState, vcpuStates } from './compute.ts'
