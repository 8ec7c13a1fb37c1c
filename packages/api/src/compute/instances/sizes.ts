/** Sizes of instances in forms. Lists of instances load the other rules without them. */
import { GiB } from '../../rules/bytes.ts'
import { INSTANCE_MAX_CPUS, INSTANCE_MAX_MEMORY, INSTANCE_MIN_MEMORY } from './rules.ts'

/** Hardware offered in the create form: memory in GiB per vCPU count. */
export const instancePresets = {
  generalPurpose: [
    { ncpus: 2, memory: 8 },
    { ncpus: 4, memory: 16 },
    { ncpus: 8, memory: 32 },
    { ncpus: 16, memory: 64 },
  ],
  highCpu: [
    { ncpus: 2, memory: 4 },
    { ncpus: 4, memory: 8 },
    { ncpus: 8, memory: 16 },
    { ncpus: 16, memory: 32 },
  ],
  highMemory: [
    { ncpus: 2, memory: 16 },
    { ncpus: 4, memory: 32 },
    { ncpus: 8, memory: 64 },
    { ncpus: 16, memory: 128 },
  ],
} as const

/** Form message for a vCPU count, or undefined. */
export function cpuFieldProblem(ncpus: number): string | undefined {
  if (!(ncpus >= 1)) return 'Must be at least 1 vCPU'
  if (ncpus > INSTANCE_MAX_CPUS) return `Can be at most ${INSTANCE_MAX_CPUS}`
  return undefined
}

/** Form message for an amount of memory in GiB, or undefined. */
export function memoryFieldProblem(gib: number): string | undefined {
  if (!(gib >= INSTANCE_MIN_MEMORY / GiB))
    return `Must be at least ${INSTANCE_MIN_MEMORY / GiB} GiB`
  if (gib > INSTANCE_MAX_MEMORY / GiB) return `Can be at most ${INSTANCE_MAX_MEMORY / GiB} GiB`
  return undefined
}
