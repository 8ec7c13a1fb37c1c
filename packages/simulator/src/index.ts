/** A simulated rack, as an engine of the control plane. */
export { simulatedEngine, type SimulatedEngines } from './engines.ts'
export { simulatedHistory } from './measurements/history.ts'
export type { SimulatedOptions } from './options.ts'
